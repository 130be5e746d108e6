package io.github.shardedid.routing.internal.scatter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The text that PostgreSQL writes for a floating-point number: the shortest one that is read as the same number. */
final class FloatText {
    private static final int DOUBLE_DIGITS = 17;
    private static final int FLOAT_DIGITS = 9;
    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    private FloatText() {}

    static String of(double value) {
        double size = Math.abs(value);
        return of(value, Math.nextDown(size), Math.nextUp(size), DOUBLE_DIGITS, 15);
    }

    static String of(float value) {
        float size = Math.abs(value);
        return of(value, Math.nextDown(size), Math.nextUp(size), FLOAT_DIGITS, 6);
    }

    private static String of(double value, double previous, double next, int digits, int plainBelow) {
        if (value == 0 || !Double.isFinite(value)) {
            return special(value);
        }
        BigDecimal exact = new BigDecimal(Math.abs(value));
        BigDecimal below = new BigDecimal(previous);
        BigDecimal above = Double.isFinite(next) ? new BigDecimal(next) : beyond(exact, below);
        return (value < 0 ? "-" : "") + text(shortest(exact, below, above, digits), plainBelow);
    }

    private static String special(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        return Double.toString(value);
    }

    /** The greatest number is as far from infinity as from the number below it. */
    private static BigDecimal beyond(BigDecimal exact, BigDecimal below) {
        return exact.add(exact).subtract(below);
    }

    /** The nearest of the shortest numbers strictly between the middles to both neighbours. */
    private static BigDecimal shortest(BigDecimal exact, BigDecimal below, BigDecimal above, int most) {
        BigDecimal least = exact.add(below).divide(TWO);
        BigDecimal greatest = exact.add(above).divide(TWO);
        for (int digits = 1; digits < most; digits++) {
            for (RoundingMode mode : new RoundingMode[] {RoundingMode.HALF_EVEN, RoundingMode.DOWN, RoundingMode.UP}) {
                BigDecimal rounded = exact.round(new MathContext(digits, mode));
                if (rounded.compareTo(least) > 0 && rounded.compareTo(greatest) < 0) {
                    return rounded;
                }
            }
        }
        return exact.round(new MathContext(most, RoundingMode.HALF_EVEN));
    }

    /** Plain from 0.0001 up to a number of digits, else with an exponent of two digits or three. */
    private static String text(BigDecimal number, int plainBelow) {
        BigDecimal stripped = number.stripTrailingZeros();
        int exponent = stripped.precision() - stripped.scale() - 1;
        if (exponent >= -4 && exponent < plainBelow) {
            return stripped.toPlainString();
        }
        String digits = stripped.unscaledValue().toString();
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        int size = Math.abs(exponent);
        return digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + (size < 10 ? "0" : "") + size;
    }
}
