package io.github.shardedid.example.scenery;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RadialGradientPaint;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.Random;

/**
 * A generated landscape.
 *
 * @param seed the same seed gives the same landscape
 */
public record Scenery(long seed) {
    /** The colours of each time of day, from the top of the sky to the nearest hill. */
    private static final int[][] LIGHTS = {
        {0x1b2a6b, 0xf48b6a, 0xffd9a0, 0x7b4b7d, 0x241a3d}, // dusk
        {0x4a90d9, 0xbfe3f5, 0xfff6dd, 0x6fa58a, 0x1f4a3c}, // noon
        {0x0b1437, 0x28406f, 0xe8eefc, 0x2b4a6b, 0x0a1626}, // night
        {0xe7726b, 0xf9c58d, 0xfff1c9, 0xb0567a, 0x45204f}, // dawn
        {0x6a8fb5, 0xdfe7ea, 0xffffff, 0x8aa1ad, 0x33454f}, // haze
        {0x134e5e, 0x71b280, 0xf6ffd8, 0x3e8a6c, 0x0d2f2e}, // lagoon
        {0x42275a, 0xd76d77, 0xffcf8f, 0x8a3f63, 0x26122f}, // ember
        {0x355c7d, 0xc06c84, 0xf8b195, 0x6c5b7b, 0x24243e}, // rose
    };

    /**
     * Draws the landscape.
     *
     * @param width in pixels
     * @param height in pixels
     * @return a new picture
     */
    public BufferedImage draw(int width, int height) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        int[] light = LIGHTS[random.nextInt(LIGHTS.length)];
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.scale(width, height);
        sky(graphics, light);
        stars(graphics, light, random);
        sun(graphics, light, random);
        int hills = 3 + random.nextInt(3);
        for (int hill = 0; hill < hills; hill++) {
            hill(graphics, light, hill, hills, random);
        }
        graphics.dispose();
        return image;
    }

    private static void sky(Graphics2D graphics, int[] light) {
        graphics.setPaint(new GradientPaint(0, 0, new Color(light[0]), 0, 0.75f, new Color(light[1])));
        graphics.fill(new Rectangle2D.Double(0, 0, 1, 1));
    }

    private static void stars(Graphics2D graphics, int[] light, Random random) {
        int brightness = new Color(light[0]).getGreen();
        for (int star = brightness < 0x30 ? 70 : 0; star > 0; star--) {
            double size = 0.001 + random.nextDouble() * 0.003;
            graphics.setColor(new Color(255, 255, 255, 60 + random.nextInt(160)));
            graphics.fill(new Ellipse2D.Double(random.nextDouble(), random.nextDouble() * 0.55, size, size * 4 / 3));
        }
    }

    private static void sun(Graphics2D graphics, int[] light, Random random) {
        float x = 0.2f + random.nextFloat() * 0.6f;
        float y = 0.22f + random.nextFloat() * 0.25f;
        float radius = 0.05f + random.nextFloat() * 0.05f;
        Color glow = new Color(light[2]);
        graphics.setPaint(new RadialGradientPaint(x, y, radius * 5, new float[] {0, 1}, new Color[] {
            new Color(glow.getRed(), glow.getGreen(), glow.getBlue(), 150),
            new Color(glow.getRed(), glow.getGreen(), glow.getBlue(), 0)
        }));
        graphics.fill(new Rectangle2D.Double(0, 0, 1, 1));
        graphics.setColor(glow);
        graphics.fill(new Ellipse2D.Double(x - radius, y - radius * 4 / 3, 2 * radius, radius * 8 / 3));
    }

    /** Nearer hills are lower, steeper and darker. */
    private static void hill(Graphics2D graphics, int[] light, int hill, int hills, Random random) {
        double near = (hill + 1.0) / hills;
        double base = 0.45 + 0.42 * near;
        double[] phase = {random.nextDouble() * 7, random.nextDouble() * 7, random.nextDouble() * 7};
        Path2D ridge = new Path2D.Double();
        ridge.moveTo(0, 1);
        for (double x = 0; x <= 1.005; x += 0.005) {
            double height = 0.11 * Math.sin(x * (2.2 + near) + phase[0])
                    + 0.05 * Math.sin(x * 7.3 + phase[1])
                    + 0.014 * Math.abs(Math.sin(x * 31 + phase[2]));
            ridge.lineTo(x, base - height * (1.15 - 0.5 * near));
        }
        ridge.lineTo(1.01, 1);
        ridge.closePath();
        Color tone = between(new Color(light[3]), new Color(light[4]), near);
        graphics.setPaint(new GradientPaint(
                0, (float) base - 0.1f, between(new Color(light[1]), tone, 0.45 + 0.5 * near), 0, 1, tone));
        graphics.fill(ridge);
    }

    private static Color between(Color from, Color to, double part) {
        return new Color(
                (int) (from.getRed() + (to.getRed() - from.getRed()) * part),
                (int) (from.getGreen() + (to.getGreen() - from.getGreen()) * part),
                (int) (from.getBlue() + (to.getBlue() - from.getBlue()) * part));
    }
}
