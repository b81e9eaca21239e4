#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Clients of the stock wire protocol, by hand: client.pl SOCKNAME WHAT N
use strict;
use warnings;
use Socket;

my ($name, $what, $n) = @ARGV;
$| = 1;

sub address { return pack('S a*', AF_UNIX, "\0$_[0]\0") }

# a client with process ID $id, which need not be one
sub open_client {
	my ($id) = @_;
	my %c = (id => $id);
	for my $kind ('ctl', 'in') {
		socket($c{$kind}, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!";
		bind($c{$kind}, address("$name:$kind$id")) or die "bind: $!";
	}
	connect($c{ctl}, address("$name:ctl")) or die "connect: $!";
	return \%c;
}

sub control {
	my ($c, $type, $data) = @_;
	my $answer;
	send($c->{ctl}, pack('L4 a64', 0xdeadbeef, $c->{client} // 0, $type, length $data, $data), 0) or die "send: $!";
	local $SIG{ALRM} = sub { die "no answer\n" };
	alarm 10;
	recv($c->{ctl}, $answer, 80, 0);
	alarm 0;
	my ($magic, $client, $got, $length, $rest) = unpack('L4 a64', $answer);
	return ($got, $client, $rest);
}

sub attach {
	my ($c, $host) = @_;
	my ($type, $client) = control($c, 1, pack('L3 a32', $c->{id}, 0, 0, $host));
	return undef if $type != 1;
	$c->{client} = $client;
	connect($c->{in}, address("$name:out$client")) or die "connect: $!";
	return $client;
}

# Get(NodeInfo) of the own node
sub ask {
	my ($c, $tid) = @_;
	my $mad = pack('C4 n C2 N2 n n N', 1, 0x81, 1, 1, 0, 0, 0, 0, $tid, 0x11, 0, 0);
	$mad .= "\0" x (32 - length $mad) . "\xff\xff\xff\xff";
	return pack('n2 n2 N3 N N2 a256', 0xffff, 0, 0xffff, 0, 0, 0, 0, 0, 0, 256, $mad);
}

sub answered {
	my ($c, $tid) = @_;
	my $got;
	local $SIG{ALRM} = sub { die "no answer to $tid\n" };
	alarm 10;
	recv($c->{in}, $got, 400, 0);
	alarm 0;
	return length($got) == 288 && unpack('N', substr($got, 32 + 12, 4)) == $tid &&
		unpack('C', substr($got, 32 + 3, 1)) == 0x81;
}

# the same over UDP, at port $name of this machine; gone without a word
sub udp_once {
	my ($host) = @_;
	my ($ctl, $in, $answer);
	for my $s ($ctl, $in) {
		socket($s, AF_INET, SOCK_DGRAM, 0) or die "socket: $!";
		bind($s, sockaddr_in(0, INADDR_LOOPBACK)) or die "bind: $!";
	}
	connect($ctl, sockaddr_in($name, INADDR_LOOPBACK)) or die "connect: $!";
	my $data = pack('L3 a32', (sockaddr_in(getsockname $in))[0], 0, 0, $host);
	send($ctl, pack('L4 a64', 0xdeadbeef, 0, 1, length $data, $data), 0) or die "send: $!";
	local $SIG{ALRM} = sub { die "no answer\n" };
	alarm 10;
	recv($ctl, $answer, 80, 0);
	alarm 0;
	my ($magic, $client, $type) = unpack('L3', $answer);
	return undef if $type != 1;
	connect($in, sockaddr_in($name + $client + 1, INADDR_LOOPBACK)) or die "connect: $!";
	my %c = (in => $in);
	send($in, ask(\%c, 3), 0) or die "send: $!";
	return answered(\%c, 3);
}

if ($what eq 'udp') {
	my $answered = 0;
	for my $i (1 .. $n) {
		$answered += udp_once(sprintf('H-%05d', $i % 72)) // 0;
		# the server looks for the dead every second, and when their number has doubled
		select(undef, undef, undef, 0.02) if $i % 10 == 0;
	}
	print "$answered answered\n";
} elsif ($what eq 'many') {
	my (@clients, $attached, $answered);
	for my $i (1 .. $n) {
		my $c = open_client(1000000 + $i);
		$attached++ if defined attach($c, sprintf('H-%05d', $i % 72));
		push @clients, $c;
	}
	# the same transaction ID for all
	send($_->{in}, ask($_, 7), 0) for @clients;
	$answered += answered($_, 7) for @clients;
	print "$attached attached, $answered answered\n";
	control($_, 2, '') for @clients;
} elsif ($what eq 'same') {
	my $c = open_client(2000000);
	print 'client ', attach($c, ''), ', ';
	close $c->{in};
	close $c->{ctl};
	$c = open_client(2000000);
	print 'client ', attach($c, ''), ', ';
	print answered($c, 9) ? "1 attached\n" : "not served\n" if send($c->{in}, ask($c, 9), 0);
	control($c, 2, '');
} elsif ($what eq 'deaf') {
	my $c = open_client(2000001);
	my $received = 0;
	attach($c, 'H-00003');
	for my $i (1 .. $n) { send($c->{in}, ask($c, $i), 0) or die "send: $!" }
	print "$n sent\n";
	sleep 1;
	for my $i (1 .. $n) { $received += answered($c, $i) }
	print "$received received\n";
	control($c, 2, '');
} elsif ($what eq 'garbage') {
	my $c = open_client(2000002);
	srand 1;
	attach($c, 'H-00003');
	for (1 .. $n) {
		my $size = (0, 1, 80, 80, 287, 288, 288, 288, 289, 1000)[int rand 10];
		my $bytes = join '', map { chr int rand 256 } 1 .. $size;
		substr($bytes, 0, 4) = pack('L', 0xdeadbeef) if $size == 80 && rand() < 0.9;
		substr($bytes, 12, 4) = pack('L', int rand 65) if $size == 80;
		# never what connects or disconnects: it goes on
		substr($bytes, 8, 4) = pack('L', 3 + int rand 30) if $size == 80;
		substr($bytes, 24, 8) = pack('N2', 0, 256) if $size == 288;
		substr($bytes, 33, 1) = (map { chr } 1, 3, 4, 0x81)[int rand 4] if $size == 288;
		send($size == 80 || rand() < 0.1 ? $c->{ctl} : $c->{in}, $bytes, MSG_DONTWAIT);
		my $answer;
		1 while defined recv($c->{ctl}, $answer, 400, MSG_DONTWAIT) && length $answer;
		1 while defined recv($c->{in}, $answer, 400, MSG_DONTWAIT) && length $answer;
	}
	close $c->{in};
	close $c->{ctl};
	$c = open_client(2000003);
	attach($c, '');
	send($c->{in}, ask($c, 5), 0);
	print answered($c, 5) ? "still alive\n" : "no more\n";
	control($c, 2, '');
}
