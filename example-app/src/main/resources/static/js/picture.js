const LONGEST = 1600;
const BYTES = 1_500_000;

/**
 * Makes a picture fit to be sent. A JPEG is always drawn anew: so it is upright whatever its camera noted, and says nothing of where it
 * was taken. Others are, if they are large.
 */
export async function fit(file) {
  if (file.type !== 'image/jpeg' && file.size <= BYTES) {
    return file;
  }
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return file; // what it is, the application says
  }
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), 'image/jpeg', 0.88));
}
