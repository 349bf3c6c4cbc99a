import { describe, expect, it } from 'vitest'
import { progressLine, type TransferProgress } from './progress.ts'
import { width } from './width.ts'

const MiB = 1024 ** 2
const half: TransferProgress = { state: 'uploading', loaded: 50 * MiB, total: 100 * MiB, speed: 10 * MiB }

describe('the line of a transfer', () => {
  it('shows name, percentage, bytes, speed, time left and state', () => {
    const line = progressLine('photo.jpg', half, 120)
    for (const part of ['photo.jpg', '50.0%', '50 MiB / 100 MiB', '10 MiB/s', '0:05', 'uploading'])
      expect(line).toContain(part)
    const bar = /\[(█*)(░*)\]/.exec(line)
    expect(bar?.[1]?.length).toBe(bar?.[2]?.length)
  })

  it.each([20, 40, 60, 80, 120, 200])('fits into %i places, whatever the name', (columns) => {
    for (const name of [
      'a',
      'a rather long name of a file that somebody has given it.tar',
      '一个很长的文件名'.repeat(5),
    ])
      expect(width(progressLine(name, half, columns))).toBeLessThanOrEqual(columns)
  })

  it('keeps the percentage if there is little space', () => {
    expect(progressLine('一个很长的文件名'.repeat(5), half, 40)).toContain('50.0%')
  })

  it('shows no total if the size is unknown', () => {
    const line = progressLine('folder.tar', { ...half, total: 0, state: 'downloading' }, 100)
    expect(line).not.toContain('%')
    expect(line).toContain('50 MiB')
    expect(progressLine('folder', { ...half, loaded: 7, total: 7, state: 'packing' }, 100)).not.toContain('%')
  })

  it('is never over before it is', () => {
    expect(progressLine('a', { ...half, loaded: 100 * MiB - 1 }, 100)).toContain('99.9%')
    expect(progressLine('a', { ...half, loaded: 101 * MiB }, 100)).toContain('100.0%')
  })
})
