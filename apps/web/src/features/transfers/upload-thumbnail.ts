/** Whether browsers can decode it, by its name. */
export const isImage = (name: string): boolean => /\.(jpe?g|png|gif|webp|avif|bmp)$/i.test(name)

/** Creates the thumbnail of an uploaded image, so that it need not be downloaded later. @param recipient if the image is encrypted */
export async function createThumbnail(file: File, cid: string, recipient: string | undefined): Promise<void> {
  if (!isImage(file.name)) return
  try {
    const { storeThumbnail } = await import('./thumbnails.ts')
    await storeThumbnail(cid, file, recipient)
  } catch {
    // The list downloads the image instead.
  }
}
