#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# SMPs by LID, over the stock wire protocol: smp.pl SOCKNAME HOST <REQUESTS. A request is a line
#
#	get LID ATTRIBUTE MODIFIER
#	set LID ATTRIBUTE MODIFIER BYTES
#
# with numbers as Perl's oct() reads them and bytes in hexadecimal, zeros behind them. For each, a line says the status
# and the 64 bytes of the answer.
use strict;
use warnings;
use Socket;

my ($name, $host) = @ARGV;
my %socket;
$| = 1;

sub address { return pack('S a*', AF_UNIX, "\0$_[0]\0") }

sub number { return $_[0] =~ /^0/ ? oct $_[0] : $_[0] }

sub receive {
	my ($kind, $what) = @_;
	my $got;
	local $SIG{ALRM} = sub { die "no answer to $what\n" };
	alarm 10;
	defined recv($socket{$kind}, $got, 400, 0) or die "recv: $!";
	alarm 0;
	return $got;
}

for my $kind ('ctl', 'in') {
	socket($socket{$kind}, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!";
	bind($socket{$kind}, address("$name:$kind$$")) or die "bind: $!";
}
connect($socket{ctl}, address("$name:ctl")) or die "connect: $!";
send($socket{ctl}, pack('L4 a64', 0xdeadbeef, 0, 1, 44, pack('L3 a32', $$, 0, 0, $host)), 0) or die "send: $!";
my ($magic, $client, $type) = unpack('L3', receive('ctl', 'the connection'));
die "$host is not there\n" if $type != 1;
connect($socket{in}, address("$name:out$client")) or die "connect: $!";

my $transaction = 0;
while (<STDIN>) {
	my ($what, $lid, $attribute, $modifier, $bytes) = split;
	my $mad = pack('C4 n C2 N2 n n N', 1, 0x01, 1, $what eq 'set' ? 2 : 1, 0, 0, 0, 0, ++$transaction,
		number($attribute), 0, number($modifier));
	$mad .= "\0" x (64 - length $mad) . pack('H*', $bytes // '');
	send($socket{in}, pack('n2 n2 N3 N N2 a256', number($lid), 0, 0, 0, 0, 0, 0, 0, 0, 256, $mad), 0) or die "send: $!";
	my $got = receive('in', "$what $attribute");
	die "the request was lost\n" if unpack('x16 N', $got);
	printf "0x%x %s\n", unpack('n', substr($got, 36, 2)) & 0x7FFF, unpack('H*', substr($got, 96, 64));
}
send($socket{ctl}, pack('L4 a64', 0xdeadbeef, $client, 2, 0, ''), 0);
