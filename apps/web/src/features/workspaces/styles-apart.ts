/**
 * The terminal's library writes style elements and style attributes, which the policy of the portal refuses. What it makes through this
 * document are stand-ins: style sheets made by script, and spans whose style is set by property, both of which the policy allows.
 */
export function documentApart(): { document: Document; within: <T>(act: () => T) => T; dispose: () => void } {
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

  const standIn = (): HTMLElement => {
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
  const createElement = (name: string) => (name === 'style' ? standIn() : name === 'span' ? span() : create(name))

  const apart = new Proxy(document, {
    get(target, key) {
      if (key === 'createElement') return createElement
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    document: apart,
    /** One of the styles is made through the page's own document, whatever the library was told. */
    within(act) {
      document.createElement = createElement as typeof document.createElement
      try {
        return act()
      } finally {
        // What the page itself has comes back from its prototype.
        Reflect.deleteProperty(document, 'createElement')
      }
    },
    dispose: () => {
      for (const sheet of [...sheets]) drop(sheet)
    },
  }
}

/** Style rules for as long as something is shown. @returns takes them away */
export function adoptStyles(text: string): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}
