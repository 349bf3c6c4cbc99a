import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { files } from '../build.mjs'

/** The source files in the fault's folder that contain its text, once per occurrence. Tests are ignored. */
export const placesOf = ({ folder, find }, root) =>
  files(join(root, folder))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\.tsx?$/.test(path))
    .flatMap((path) => Array(readFileSync(path, 'utf8').split(find).length - 1).fill(path))
