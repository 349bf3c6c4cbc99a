/** Images that are chosen in the storage. */
export const texts = {
  title: 'Choose an image',
  accepted:
    'Accepted: a tar file (.tar, .tar.gz, .tgz) of docker save, podman save or an OCI layout; or a folder that contains an OCI layout (oci-layout, index.json, blobs). Layers must not be compressed with zstd.',
  choose: 'Use this image',
  nothing: 'Choose a tar file, or a folder that contains an image.',
  root: 'Choose a folder. An image that is in no folder cannot be used: move it into one first.',
  images: (folder: string) => `Images in ${folder}`,
  layout: 'this folder is an image (OCI layout)',
  none: 'No images in this folder.',
  encrypted: 'encrypted: cannot be used',
  noTar: 'not a tar file',
  more: 'Show more files',
  failed: 'The list could not be loaded.',
  image: 'Image',
  unchosen: 'none chosen',
  stays: 'Without another choice, the image stays.',
  pick: 'Choose from the storage',
  another: 'Choose another one',
  keyHint: (account: string) =>
    `From the storage of ${account}, which is signed in to this portal. A key for the folder is created for this and deleted at once.`,
  keyOwn:
    'The console has no access to your storage. Sign in to the portal in this browser, as yourself and not for a team, to choose an image, or enter an API key that is limited to one folder.',
  where: 'Where the image comes from',
  registry: 'Registry',
  storage: 'Your storage',
}
export type Texts = typeof texts
