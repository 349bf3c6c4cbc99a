/** Removed items are kept up to this number, so that few of them do not move many others. */
const REMOVED_MAX = 64

/** Items of which the oldest are removed, in constant time on average. A class, since there may be millions of short ones. */
export class Queue<T> {
  private readonly items: (T | undefined)[]
  private removed = 0

  constructor(...items: T[]) {
    this.items = items
  }

  get size(): number {
    return this.items.length - this.removed
  }

  push(item: T): void {
    this.items.push(item)
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined
    const item = this.items[this.removed]
    this.items[this.removed++] = undefined
    if (this.removed > REMOVED_MAX && this.removed * 2 > this.items.length) {
      this.items.splice(0, this.removed)
      this.removed = 0
    }
    return item
  }

  /** From 0, the oldest. */
  at(position: number): T | undefined {
    return this.items[this.removed + position]
  }
}
