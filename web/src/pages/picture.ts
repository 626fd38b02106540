// A picture as pixels, made of the one that the hall draws.

/** Draws a picture of the hall and offers it as a PNG file. */
export async function savePNG(address: string, name: string): Promise<void> {
  const text = await (await fetch(address)).text()
  const size = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(text)
  const [width, height] = [Number(size?.[1] ?? 400) * 2, Number(size?.[2] ?? 400) * 2]
  const image = new Image(width, height)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.replace('<svg ', `<svg width="${width}" height="${height}" `))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
  const link = document.createElement('a')
  link.href = canvas.toDataURL('image/png')
  link.download = name
  link.click()
}
