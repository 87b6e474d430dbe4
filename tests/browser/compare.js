async (one, other) => {
  const points = async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    return canvas.getImageData(0, 0, picture.width, picture.height);
  };
  const [a, b] = [await points(one), await points(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let differ = 0;
  for (let n = 0; n < a.data.length; n += 4) {
    const far = Math.abs(a.data[n] - b.data[n]) + Math.abs(a.data[n + 1] - b.data[n + 1]) + Math.abs(a.data[n + 2] - b.data[n + 2]);
    if (far > 90) differ += 1;
  }
  return differ / (a.data.length / 4);
}
