const LONGEST = 1600;
const BYTES = 1_500_000;

/**
 * Prepares a picture for the upload. A JPEG is always re-encoded, which applies its orientation and removes the location where it was
 * taken. Other pictures are re-encoded if they are large.
 */
export async function fit(file) {
  if (file.type !== 'image/jpeg' && file.size <= BYTES) {
    return file;
  }
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return file; // the application reports the error
  }
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), 'image/jpeg', 0.88));
}
