/**
 * The terminal library writes style elements and attributes, which the content security policy forbids. This document creates
 * constructed style sheets and sets styles by property instead, which the policy allows.
 */
export function createStyleProxy(): { document: Document; within: <T>(act: () => T) => T; dispose: () => void } {
  const sheets = new Set<CSSStyleSheet>()
  const adopt = (sheet: CSSStyleSheet) => {
    sheets.add(sheet)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const drop = (sheet: CSSStyleSheet) => {
    sheets.delete(sheet)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
  const create = Document.prototype.createElement.bind(document)

  const styleElement = (): HTMLElement => {
    const sheet = new CSSStyleSheet()
    const element = create('span')
    element.hidden = true
    adopt(sheet)
    Object.defineProperty(element, 'textContent', { set: (text: string) => void sheet.replaceSync(text) })
    element.remove = () => {
      drop(sheet)
      Element.prototype.remove.call(element)
    }
    return element
  }
  const span = (): HTMLElement => {
    const element = create('span')
    element.setAttribute = (name, value) => {
      if (name === 'style') element.style.cssText = value
      else Element.prototype.setAttribute.call(element, name, value)
    }
    return element
  }
  const createElement = (name: string) => (name === 'style' ? styleElement() : name === 'span' ? span() : create(name))

  const proxy = new Proxy(document, {
    get(target, key) {
      if (key === 'createElement') return createElement
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    document: proxy,
    /** Runs `act` with the page's own `createElement` replaced: the library creates one style through it. */
    within(act) {
      document.createElement = createElement as typeof document.createElement
      try {
        return act()
      } finally {
        // Restores the method of the prototype.
        Reflect.deleteProperty(document, 'createElement')
      }
    },
    dispose: () => {
      for (const sheet of [...sheets]) drop(sheet)
    },
  }
}

/** Adds style rules to the page. @returns removes them */
export function adoptStyles(text: string): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}
