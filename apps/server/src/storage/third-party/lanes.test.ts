import { describe, expect, it } from 'vitest'
import { drainLanes, type Lane } from './lanes.ts'

const signal = new AbortController().signal

type Task = () => Promise<void>

/** A lane that finds the first of these tasks, as long as there are some. */
const lane =
  (tasks: Task[]): Lane =>
  async () =>
    tasks.shift()

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('lanes', () => {
  it('take what becomes due while another is busy, also if they found nothing before it began', async () => {
    const small = gate()
    const due: Task[] = []
    const large: Task = async () => {
      due.push(async () => small.open())
      await small.opened
    }
    const slow = lane([large])
    const slowToFind: Lane = async () => {
      // The other lane has looked by then.
      await new Promise((resolve) => setImmediate(resolve))
      return slow()
    }
    await drainLanes([slowToFind, lane(due)], signal)
    expect(due).toEqual([])
  })

  it('end when none finds anything, and look once more after the last work', async () => {
    const due: Task[] = []
    const order: string[] = []
    const first: Task = async () => {
      order.push('first')
      due.push(async () => void order.push('late'))
    }
    await drainLanes([lane(due), lane([first])], signal)
    expect(order).toEqual(['first', 'late'])
  })

  it('let the others end before a failure to find work is thrown', async () => {
    const order: string[] = []
    const broken: Lane = async () => {
      throw new Error('no database')
    }
    const slow: Task = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('done')
    }
    await expect(drainLanes([broken, lane([slow])], signal)).rejects.toThrow('no database')
    expect(order).toEqual(['done'])
  })

  it('begin nothing after they were stopped', async () => {
    const stop = new AbortController()
    const order: string[] = []
    const stopping = async () => {
      order.push('one')
      stop.abort()
    }
    await drainLanes([lane([stopping, async () => void order.push('two')])], stop.signal)
    expect(order).toEqual(['one'])
  })
})
