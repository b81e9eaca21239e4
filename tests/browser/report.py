#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Opens pages of heddle report in Chromium, as a user would, and prints TAP lines without a plan.

report.py DIRECTORY [AXE]: DIRECTORY has the pages that report.sh wrote, and gets the screenshots;
AXE is axe-core's axe.min.js.
"""
import json
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

directory = pathlib.Path(sys.argv[1])
axe = pathlib.Path(sys.argv[2]).read_text() if len(sys.argv) > 2 else None


def tell(passes, name, why=""):
    print(("ok" if passes else "not ok") + " - " + name)
    if not passes and why:
        print("\n".join("# " + line for line in str(why).splitlines()[:20]))
    sys.stdout.flush()


def start(dark=False, width=1400, height=1100, scripts=True):
    options = Options()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-first-run", "--disable-background-networking", f"--window-size={width},{height}",
                 f"--user-data-dir={directory}/profile-{width}-{dark}-{scripts}"):
        options.add_argument(word)
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_page_load_timeout(120)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    driver.get_log("performance")  # those of the browser's own first page
    return driver


def open_page(driver, name):
    driver.get("file://" + str(directory / name))


def console(driver, name):
    """No error, no warning, and no request but the page's own."""
    lines = [entry["message"] for entry in driver.get_log("browser")]
    tell(not lines, name + ": nothing on the console", "\n".join(lines))
    urls = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.add(message["params"]["request"]["url"])
    others = [url for url in urls if not url.startswith("file://" + str(directory))]
    tell(not others, name + ": no request", others)


def check_axe(driver, name):
    if not axe:
        print(f"ok - {name}: axe-core # SKIP npm cannot get axe-core")
        return
    # evaluated by the driver, not by the page: the page's policy forbids foreign scripts
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    result = driver.execute_async_script(
        "const done = arguments[0]; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa',"
        " 'wcag22aa', 'best-practice'] }).then(r => done(r.violations.map(v => v.id + ': ' + v.help + ' ' +"
        " v.nodes.slice(0, 3).map(n => n.html.slice(0, 100)).join(' | '))));")
    tell(not result, name + ": axe-core finds nothing", "\n".join(result))


def panel(driver):
    return driver.find_element(By.ID, "panel").text


def search(driver, text):
    field = driver.find_element(By.ID, "search")
    field.clear()
    field.send_keys(text)
    return [button.text for button in driver.find_elements(By.CSS_SELECTOR, "#results button")]


def view_of(driver):
    return [float(word) for word in driver.find_element(By.ID, "svg").get_dom_attribute("viewBox").split()]


def shot(driver, name):
    driver.execute_script("document.getElementById('picture').scrollIntoView()")
    time.sleep(0.1)
    driver.save_screenshot(str(directory / (name + ".png")))


def use(driver):
    """The page of a dragonfly with a slow link and an older snapshot."""
    open_page(driver, "dragonfly.html")
    tell(driver.title == "now - heddle report", "it has a title", driver.title)
    check_axe(driver, "light")
    found = search(driver, "g3s1")
    tell(found == ["switch G3S1"], "a search finds a switch", found)
    driver.find_element(By.CSS_SELECTOR, "#results button").click()
    text = panel(driver)
    tell("Switch G3S1" in text and "G3S0" in text and "4xHDR" in text, "its panel has its cables", text)
    tell("LID" in text and "0x000100000000000d" in text, "and LID and GUID", text)
    tell(view_of(driver)[2] < 1000, "the picture shows it larger", view_of(driver))
    check_axe(driver, "with a panel")
    shot(driver, "searched")
    driver.find_element(By.XPATH, "//section[@id='panel']//button[text()='G3S0']").click()
    tell("Switch G3S0" in panel(driver), "a button goes to the neighbour", panel(driver))
    driver.find_element(By.XPATH, "//section[@id='panel']//button[contains(text(),'4xHDR')]").click()
    text = panel(driver)
    tell("1 link" in text and "flows" in text and "failure" in text, "a link has flows and its failure", text)
    tell(search(driver, "H-00007")[:1] == ["host H-00007"], "a host is found")
    driver.find_element(By.ID, "search").send_keys(Keys.ENTER)
    tell("Host H-00007" in panel(driver), "Enter selects it", panel(driver))
    driver.find_element(By.ID, "whole").click()
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    click(driver)
    colours(driver)
    keyboard(driver)
    console(driver, "in use")


def click(driver):
    """Selects a node and a link with the mouse."""
    driver.execute_script("document.getElementById('picture').scrollIntoView()")
    marks = driver.find_elements(By.CSS_SELECTOR, "#nodes circle")
    ActionChains(driver).move_to_element(marks[0]).click().perform()
    tell("Switch G0S0" in panel(driver), "a click selects a switch", panel(driver))
    at = driver.execute_script(
        "const c = document.querySelector('#cables path'), p = c.getPointAtLength(c.getTotalLength() / 3);"
        "const q = new DOMPoint(p.x, p.y).matrixTransform(c.getScreenCTM()); return [q.x, q.y];")
    builder = ActionChains(driver)
    builder.w3c_actions.pointer_action.move_to_location(int(at[0]) + 2, int(at[1]) + 1).click()
    builder.perform()
    tell("link" in panel(driver).split("\n")[1], "a click beside a link selects the link", panel(driver))
    driver.find_element(By.CSS_SELECTOR, "#panel .shut").click()
    tell(not driver.find_element(By.ID, "panel").is_displayed(), "the panel closes")


def colours(driver):
    def classes():
        return driver.execute_script(
            "return Array.from(new Set(Array.from(document.querySelectorAll('#cables path'),"
            " p => p.getAttribute('class'))))")

    select = Select(driver.find_element(By.ID, "colour"))
    tell(set(classes()) <= {"l0", "l1", "l2", "l3", "l4"}, "colours are of load", classes())
    select.select_by_value("speed")
    tell("slow" in classes(), "by speed, the slow link stands out", classes())
    shot(driver, "speed")
    select.select_by_value("change")
    tell(bool({"new", "more", "less"} & set(classes())), "by change, something changed", classes())
    tell(driver.find_element(By.CSS_SELECTOR, "#gone path").is_displayed(), "a link that is gone is drawn")
    shot(driver, "change")
    select.select_by_value("load")


def keyboard(driver):
    svg = driver.find_element(By.ID, "svg")
    driver.execute_script("document.getElementById('svg').focus()")
    before = view_of(driver)
    svg.send_keys("+")
    larger = view_of(driver)
    tell(larger[2] < before[2], "+ makes the picture larger", [before, larger])
    svg.send_keys(Keys.ARROW_RIGHT)
    tell(view_of(driver)[0] > larger[0], "an arrow moves it")
    svg.send_keys("0")
    tell(view_of(driver)[0] == 0, "0 shows all", view_of(driver))
    driver.execute_script("document.activeElement.blur()")
    driver.find_element(By.TAG_NAME, "h1").click()
    reached = set()
    for _ in range(12):
        ActionChains(driver).send_keys(Keys.TAB).perform()
        reached.add(driver.execute_script("return document.activeElement.id"))
    tell({"search", "colour", "larger", "svg"} <= reached, "Tab reaches all controls", reached)


def odd_names(driver):
    open_page(driver, "odd.html")
    tell(driver.execute_script("return window.hacked") is None, "no name runs as a script")
    tell(not driver.find_elements(By.CSS_SELECTOR, "img, b, iframe"), "no name is an element")
    found = search(driver, "<img")
    tell(len(found) == 1 and "<img src=x onerror=hacked=1>" in found[0], "it is shown as it is", found)
    driver.find_element(By.CSS_SELECTOR, "#results button").click()
    tell("<img src=x" in panel(driver), "also in the panel", panel(driver))
    console(driver, "odd names")


def each(driver):
    for name in ("tree", "superpod", "unsound"):
        if not (directory / (name + ".html")).exists():
            continue
        open_page(driver, name + ".html")
        tell(driver.find_element(By.ID, "controls").is_displayed(), name + ": its script runs")
        check_axe(driver, name)
        if name == "unsound":
            loop(driver)
        driver.execute_script("window.scrollTo(0, 0)")
        driver.save_screenshot(str(directory / (name + "-top.png")))
        shot(driver, name)
        console(driver, name)


def loop(driver):
    """The picture shows the credit loop; a table leads to its links."""
    thick = driver.find_elements(By.CSS_SELECTOR, "#cables path.cycle")
    tell(len(thick) > 1, "the credit loop is in the picture", len(thick))
    button = driver.find_element(By.XPATH, "//section[@aria-labelledby='verdict']//td/button")
    name = button.text
    button.click()
    tell("Switch " + name in panel(driver), "a table leads to its switches", panel(driver))
    busiest = driver.find_element(By.XPATH, "//section[@aria-labelledby='load']//td/button[contains(text(), '[')]")
    busiest.click()
    tell("1 link" in panel(driver), "and to its links", panel(driver))
    driver.find_element(By.CSS_SELECTOR, "#panel .shut").click()
    driver.find_element(By.ID, "whole").click()


def large(driver):
    begin = time.time()
    open_page(driver, "large.html")
    seconds = time.time() - begin
    tell(seconds < 20, f"2,064 switches open in {seconds:.1f} s, less than 20")
    begin = time.time()
    found = search(driver, "G128S03")
    seconds = time.time() - begin
    tell("switch G128S03" in found and seconds < 10, f"and a search takes {seconds:.1f} s", found[:3])
    driver.find_element(By.CSS_SELECTOR, "#results button").click()
    tell("Switch G128S03" in panel(driver), "and tells of the switch")
    shot(driver, "large")
    console(driver, "large")


def session(function, **options):
    driver = start(**options)
    try:
        function(driver)
    finally:
        driver.quit()


def dark(driver):
    open_page(driver, "dragonfly.html")
    check_axe(driver, "dark")
    driver.execute_script("window.scrollTo(0, 0)")
    driver.save_screenshot(str(directory / "dark-top.png"))
    search(driver, "G3S1")
    driver.find_element(By.CSS_SELECTOR, "#results button").click()
    check_axe(driver, "dark, with a panel")
    shot(driver, "dark")


def narrow(driver):
    open_page(driver, "dragonfly.html")
    wide = driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    tell(wide <= 0, "a narrow window needs no scrolling sideways", wide)
    shot(driver, "narrow")
    check_axe(driver, "narrow")


def without_scripts(driver):
    open_page(driver, "dragonfly.html")
    text = driver.find_element(By.TAG_NAME, "main").text
    tell("What is wrong" in text and "Slow links" in text and "dragonfly a=4" in text, "without scripts the text is there", text)
    tell(not driver.find_element(By.ID, "controls").is_displayed(), "and no control that does nothing")
    driver.save_screenshot(str(directory / "no-scripts.png"))


def all_in_one(driver):
    use(driver)
    odd_names(driver)
    each(driver)
    large(driver)


session(all_in_one)
session(dark, dark=True)
session(narrow, width=500, height=900)
session(without_scripts, scripts=False)
