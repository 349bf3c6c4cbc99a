/** A page took too long to load. Its message must differ from that of a failed import, at which the router reloads the whole page. */
export class PageTimeout extends Error {
  constructor() {
    super('Loading the page timed out')
  }
}
