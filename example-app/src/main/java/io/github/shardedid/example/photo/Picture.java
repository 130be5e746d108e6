package io.github.shardedid.example.photo;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * A validated picture. Its content type is detected from its bytes; the type sent by the client is ignored.
 *
 * @param contentType a media type
 * @param content the uploaded bytes
 * @param thumbnail a JPEG of at most {@value #THUMBNAIL_WIDTH} pixels' width
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Picture(String contentType, byte[] content, byte[] thumbnail) {
    static final int THUMBNAIL_WIDTH = 640;

    /** A small file can contain a huge picture, which would use too much memory. */
    private static final long MAX_PIXELS = 25_000_000;

    private static final Map<String, String> KINDS =
            Map.of("jpeg", "image/jpeg", "png", "image/png", "gif", "image/gif");

    static Picture of(byte[] content) {
        try (ImageInputStream input = ImageIO.createImageInputStream(new ByteArrayInputStream(content))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
            ImageReader reader = readers.hasNext() ? readers.next() : null;
            String kind =
                    reader == null ? null : KINDS.get(reader.getFormatName().toLowerCase(Locale.ROOT));
            if (reader == null || kind == null) {
                throw unreadable("The picture is not a JPEG, PNG or GIF. Choose one of these formats.", null);
            }
            try {
                reader.setInput(input, true, true);
                return new Picture(kind, content, jpeg(small(reader)));
            } finally {
                reader.dispose();
            }
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw unreadable("The picture is damaged. Save it again with another program.", e);
        }
    }

    static ResponseStatusException unreadable(String why, @Nullable Throwable cause) {
        return new ResponseStatusException(HttpStatus.UNSUPPORTED_MEDIA_TYPE, why, cause);
    }

    private static BufferedImage small(ImageReader reader) throws IOException {
        int width = reader.getWidth(0);
        int height = reader.getHeight(0);
        if ((long) width * height > MAX_PIXELS) {
            throw unreadable("The picture has " + width + " × " + height + " pixels. The maximum is 25 million.", null);
        }
        ImageReadParam parameters = reader.getDefaultReadParam();
        int step = Math.max(1, width / (2 * THUMBNAIL_WIDTH));
        parameters.setSourceSubsampling(step, step, 0, 0);
        return scaled(reader.read(0, parameters));
    }

    private static BufferedImage scaled(BufferedImage image) {
        int width = Math.min(THUMBNAIL_WIDTH, image.getWidth());
        int height = Math.max(1, Math.round((float) image.getHeight() * width / image.getWidth()));
        BufferedImage small = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = small.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, width, height, Color.WHITE, null);
        graphics.dispose();
        return small;
    }

    /**
     * Encodes an image.
     *
     * @param image the image
     * @return a JPEG
     */
    public static byte[] jpeg(BufferedImage image) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "jpeg", bytes);
        } catch (IOException e) {
            throw new IllegalStateException("Writing to memory failed", e);
        }
        return bytes.toByteArray();
    }
}
