/** Images that are chosen in the storage. */
export const texts = {
  title: 'Choose an image',
  accepted:
    'Accepted: a tar file (.tar, .tar.gz, .tgz) made by docker save or podman save, or that contains an OCI layout; or a folder that contains an OCI layout (oci-layout, index.json, blobs). Layers must not be compressed with zstd.',
  choose: 'Use this image',
  nothing: 'Choose a tar file, or a folder that contains an image.',
  root: 'Choose a folder. Images outside of folders cannot be used: move them into a folder first.',
  images: (folder: string) => `Images in ${folder}`,
  layout: 'this folder is an image (OCI layout)',
  none: 'No images in this folder.',
  encrypted: 'encrypted: cannot be used',
  noTar: 'not a tar file',
  more: 'Show more files',
  failed: 'The list could not be loaded.',
  image: 'Image',
  unchosen: 'No image chosen',
  stays: 'The current image is kept unless you choose another one.',
  pick: 'Choose from your storage',
  another: 'Choose another one',
  keyHint: (account: string) =>
    `From the storage of ${account}, signed in to the portal in this browser. A key limited to the folder is created for this, and deleted right after.`,
  keyOwn:
    'The console has no access to your storage. Sign in to the portal in this browser, as yourself and not for a team, to choose an image, or enter an API key that is limited to one folder.',
  where: 'Where the image comes from',
  registry: 'Registry',
  storage: 'Your storage',
}
export type Texts = typeof texts
