export const texts = {
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  pdf: 'PDF document',
  text: 'Text',
  table: 'Table',
  markdown: 'Markdown text',
  archive: 'Archive',
  folder: 'Uploaded folder',
  file: 'File',
}

export type Texts = typeof texts
