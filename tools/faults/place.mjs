import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { files } from '../build.mjs'

/** The sources below the fault's folder that have its text; one as often as it has it. Tests do not count. */
export const placesOf = ({ folder, find }, root) =>
  files(join(root, folder))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\.tsx?$/.test(path))
    .flatMap((path) => Array(readFileSync(path, 'utf8').split(find).length - 1).fill(path))
