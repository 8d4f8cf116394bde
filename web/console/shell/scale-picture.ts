/** Twice the size at which a picture is shown, for dense displays, with some room. */
const SIDE_PX = 192;
const QUALITY = 0.85;

/** A chosen file that browsers cannot show as a picture. */
export class PictureError extends Error {}

/**
 * Returns the middle square of a picture as a JPEG in base64, about 10 kB. Drawing it anew leaves out what
 * cameras add, such as the place. Throws PictureError for other files.
 */
export async function scalePicture(file: File): Promise<string> {
  const image = await createImageBitmap(file).catch(() => {
    throw new PictureError(file.name);
  });
  const side = Math.min(image.width, image.height);
  const [x, y] = [(image.width - side) / 2, (image.height - side) / 2];
  const canvas = document.createElement('canvas');
  canvas.width = SIDE_PX;
  canvas.height = SIDE_PX;
  const context = canvas.getContext('2d');
  if (!context) {
    throw new PictureError(file.name);
  }
  // JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, SIDE_PX, SIDE_PX);
  context.drawImage(image, x, y, side, side, 0, 0, SIDE_PX, SIDE_PX);
  image.close();
  return canvas.toDataURL('image/jpeg', QUALITY).replace(/^[^,]*,/, '');
}
