package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium of this machine, never a downloaded one. */
final class Browser implements AutoCloseable {
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final List<Path> BROWSERS = List.of(
            Path.of("/usr/bin/chromium"), Path.of("/usr/bin/google-chrome"), Path.of("/usr/bin/chromium-browser"));
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser open() {
        Stream<Path> installed = BROWSERS.stream().filter(Files::isExecutable);
        Path binary = installed.findFirst().orElse(null);
        assumeTrue(
                binary != null && Files.isExecutable(DRIVER),
                "NOT TESTED IN A BROWSER: there is no Chromium with " + DRIVER
                        + " on this machine. On Debian: apt-get install chromium chromium-driver");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(binary.toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en-GB");
        options.addArguments("--hide-scrollbars", "--disable-background-networking", "--window-size=1400,1000");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    Browser to(String path) {
        driver.get(RunningExample.baseUrl() + path);
        return this;
    }

    Browser reload() {
        driver.navigate().refresh();
        return this;
    }

    /** The first element of a CSS selector that can be seen; waits for it. */
    WebElement see(String css) {
        return waiting()
                .withMessage(() -> "Nothing to be seen of " + css + ". Console: " + console())
                .until(any -> driver.findElements(By.cssSelector(css)).stream()
                        .filter(WebElement::isDisplayed)
                        .findFirst()
                        .orElse(null));
    }

    /** Waits until the first element of a CSS selector says some words. */
    void seeWords(String css, String words) {
        waiting()
                .withMessage(() -> css + " does not say \"" + words + "\" but: "
                        + script("return document.querySelector(arguments[0])?.innerText", css) + ". Console: "
                        + console())
                .until(any -> String.valueOf(script("return document.querySelector(arguments[0])?.innerText", css))
                        .contains(words));
    }

    /** Waits until a script returns true. */
    void await(String script, Object... arguments) {
        waiting()
                .withMessage(() -> "Never true: " + script + ". Console: " + console())
                .until(any -> Boolean.TRUE.equals(script(script, arguments)));
    }

    void click(String css) {
        WebElement element = see(css);
        script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element);
        element.click();
    }

    /** Clicks a button that asks before it acts: nothing happens if the answer is no. */
    void clickAndConfirm(String css) {
        click(css);
        driver.switchTo().alert().dismiss();
        click(css);
        driver.switchTo().alert().accept();
    }

    void type(String css, String text) {
        WebElement field = see(css);
        field.clear();
        field.sendKeys(text);
    }

    /** A file for a field that itself cannot be seen. */
    void choose(String css, Path file) {
        driver.findElement(By.cssSelector(css)).sendKeys(file.toString());
    }

    Object script(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    Browser sized(int width, int height, boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        return this;
    }

    /** The page as it looks, as far down as it goes, or to a height. */
    void picture(Path file, int height) {
        Object shot = driver.executeCdpCommand(
                        "Page.captureScreenshot",
                        Map.of(
                                "format",
                                "png",
                                "captureBeyondViewport",
                                true,
                                "clip",
                                Map.of(
                                        "x",
                                        0,
                                        "y",
                                        0,
                                        "scale",
                                        1,
                                        "height",
                                        height,
                                        "width",
                                        script("return innerWidth"))))
                .get("data");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, Base64.getDecoder().decode(String.valueOf(shot)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing is in the console but what is expected there, such as "status of 503". */
    void assertQuiet(String... expected) {
        assertThat(console())
                .filteredOn(line -> Stream.of(expected).noneMatch(line::contains))
                .isEmpty();
    }

    private List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    private WebDriverWait waiting() {
        WebDriverWait wait = new WebDriverWait(driver, PATIENCE);
        wait.pollingEvery(Duration.ofMillis(100)).ignoring(StaleElementReferenceException.class);
        return wait;
    }

    @Override
    public void close() {
        driver.quit();
    }
}
