// Compares screenshots.

/**
 * Returns the share of squares of 8 pixels in which two pictures differ, in percent. Runs in the
 * page.
 */
async function difference(urls) {
  const shrink = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const size = [Math.ceil(image.width / 8), Math.ceil(image.height / 8)];
    const context = new OffscreenCanvas(...size).getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, ...size);
    return context.getImageData(0, 0, ...size);
  };
  const [one, other] = await Promise.all(urls.map(shrink));
  if (one.width !== other.width || one.height !== other.height) return 100;
  const differ = one.data.map((part, at) => Math.abs(part - other.data[at]) > 24);
  const squares = Array.from({ length: differ.length / 4 }, (_, at) => 4 * at);
  const changed = squares.filter((at) => differ[at] || differ[at + 1] || differ[at + 2]);
  return (100 * changed.length) / squares.length;
}

/**
 * Returns the share of squares in which two PNG files differ, in percent. The page may not have a
 * Content-Security-Policy, because it loads the pictures.
 */
export function pictureDifference(page, pictures) {
  const urls = pictures.map((png) => `data:image/png;base64,${png.toString("base64")}`);
  return page.evaluate(difference, urls);
}
