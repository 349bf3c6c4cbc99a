// Builds the text of a statement as the `sql` tag would, without running the program. Fragments are followed to their definition, and each
// branch of a decision gives a variant of the statement.
import ts from 'typescript'

/** How many decisions of a variant can differ from the first variant; more would only multiply similar variants. */
const DEVIATIONS = 2
const TAGS = new Set(['sql', 'prepared'])

export class Unreadable extends Error {}

/**
 * @param {ts.TypeChecker} checker
 * @param calls the calls of each function declaration
 */
export function createReader(checker, calls) {
  /** All variants of a statement. */
  return function variants(expression) {
    const found = new Map()
    const asked = [[]]
    for (let chosen = asked.shift(); chosen; chosen = asked.shift()) {
      const taken = []
      const templates = new Set()
      const choose = (key, count) => {
        const known = taken.find((each) => each.key === key)
        if (known) return known.option
        const option = chosen[taken.length] ?? 0
        taken.push({ key, count, option })
        return option
      }
      const statement = write(expression, new Map(), choose, templates)
      const text = statement.text.trim()
      if (!found.has(text)) found.set(text, { ...statement, text, templates })
      if (chosen.filter((option) => option > 0).length === DEVIATIONS) continue
      taken.forEach(({ count }, index) => {
        if (index < chosen.length) return
        const before = taken.slice(0, index).map(({ option }) => option)
        for (let option = 1; option < count; option++) asked.push([...before, option])
      })
    }
    return [...found.values()]
  }

  function write(expression, env, choose, templates) {
    let text = ''
    const params = []
    add(expression, env)
    return { text, params }

    function add(part, bound) {
      const made = follow(part, bound, choose)
      if (isNone(made.node)) return
      if (!isTemplate(made.node)) throw unreadable(part)
      templates.add(made.node)
      const { template } = made.node
      if (ts.isNoSubstitutionTemplateLiteral(template)) {
        text += template.text
        return
      }
      text += template.head.text
      for (const { expression: value, literal } of template.templateSpans) {
        put(value, made.env)
        text += literal.text
      }
    }

    /** Inserts a fragment, or adds a value as a parameter; a condition can choose between fragments here. */
    function put(value, bound) {
      const type = checker.getTypeAtLocation(value)
      if (!isSql(type)) {
        params.push({ nullable: mayBeNull(type), elementNullable: mayBeNull(elementOf(type)) })
        text += `$${params.length}`
      } else if (ts.isConditionalExpression(value) && decided(value.condition, bound, choose) === undefined)
        put(pick(value.condition, bound, 2, choose) === 0 ? value.whenTrue : value.whenFalse, bound)
      else add(value, bound)
    }
  }

  /** Follows a value to its definition: a template, an object, a list or a function. */
  function follow(node, env, choose) {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node)
    )
      return follow(node.expression, env, choose)
    if (ts.isConditionalExpression(node)) {
      const known = decided(node.condition, env, choose)
      const yes = known ?? pick(node.condition, env, 2, choose) === 0
      return follow(yes ? node.whenTrue : node.whenFalse, env, choose)
    }
    if (ts.isIdentifier(node)) return isNone(node) ? { node, env } : followName(node, env, choose)
    if (ts.isPropertyAccessExpression(node) && isModule(node.expression)) return followName(node.name, env, choose)
    if (ts.isPropertyAccessExpression(node))
      return member(follow(node.expression, env, choose), node.name.text, node, choose)
    if (ts.isElementAccessExpression(node)) {
      const object = follow(node.expression, env, choose)
      if (!ts.isObjectLiteralExpression(object.node)) throw unreadable(node)
      const names = object.node.properties.map((each) => each.name.getText())
      const option = pick(node, env, names.length, choose)
      return member(object, names[option], node, choose)
    }
    if (ts.isCallExpression(node)) return followCall(node, env, choose)
    return { node, env }
  }

  function followName(name, env, choose) {
    const declaration = declarationOf(name)
    if (!declaration) throw unreadable(name)
    if (ts.isVariableDeclaration(declaration) && declaration.initializer && isConst(declaration))
      return follow(declaration.initializer, env, choose)
    if (ts.isFunctionDeclaration(declaration)) return { node: declaration, env }
    const loop = declaration.parent?.parent
    if (loop && ts.isForOfStatement(loop)) {
      const { node: list } = follow(loop.expression, env, choose)
      if (ts.isArrayLiteralExpression(list))
        return follow(list.elements[pick(loop.expression, env, list.elements.length, choose)], env, choose)
    }
    if (ts.isParameter(declaration)) return argument(declaration, env, choose)
    if (ts.isBindingElement(declaration)) {
      const source = declaration.parent.parent
      const property = (declaration.propertyName ?? declaration.name).getText()
      if (ts.isVariableDeclaration(source) && source.initializer)
        return member(follow(source.initializer, env, choose), property, name, choose)
      if (ts.isParameter(source)) return member(argument(source, env, choose), property, name, choose)
    }
    throw unreadable(name)
  }

  /** What a parameter was given: where the call is not known, each call of the program gives a variant. */
  function argument(parameter, env, choose) {
    const bound = env.get(parameter)
    if (bound) return follow(bound.node, bound.env, choose)
    const owner = parameter.parent
    const position = owner.parameters.indexOf(parameter)
    const given = (calls.get(owner) ?? []).map((call) => call.arguments[position] ?? parameter.initializer)
    if (given.length === 0 || given.includes(undefined)) throw unreadable(parameter)
    return follow(given[pick(parameter, env, given.length, choose)], new Map(), choose)
  }

  function member({ node, env }, name, at, choose) {
    if (!ts.isObjectLiteralExpression(node)) throw unreadable(at)
    const property = node.properties.find((each) => each.name?.getText() === name)
    if (property && ts.isPropertyAssignment(property)) return follow(property.initializer, env, choose)
    if (property && ts.isShorthandPropertyAssignment(property)) {
      const declaration = checker.getShorthandAssignmentValueSymbol(property)?.valueDeclaration
      if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer)
        return follow(declaration.initializer, env, choose)
    }
    throw unreadable(at)
  }

  function followCall(call, env, choose) {
    const made = ts.isPropertyAccessExpression(call.expression) ? overList(call, env, choose) : undefined
    if (made) return made
    const { node: callee, env: outer } = follow(call.expression, env, choose)
    if (!isFunction(callee)) throw unreadable(call)
    const inner = new Map(outer)
    callee.parameters.forEach((parameter, index) => {
      const node = call.arguments[index] ?? parameter.initializer
      if (node) inner.set(parameter, { node, env })
    })
    return answer(callee, inner, choose)
  }

  /** Treats a list as if it had one item. */
  function overList(call, env, choose) {
    const [callback, start] = call.arguments
    const method = call.expression.name.text
    if (!callback || !['map', 'reduce'].includes(method)) return undefined
    const { node, env: outer } = follow(callback, env, choose)
    if (!isFunction(node)) return undefined
    if (method === 'map') return answer(node, outer, choose)
    const inner = new Map(outer)
    inner.set(node.parameters[0], { node: start, env })
    inner.set(node.parameters[1], { node: call.expression.expression, env })
    return answer(node, inner, choose)
  }

  function answer(callee, env, choose) {
    if (!ts.isBlock(callee.body)) return follow(callee.body, env, choose)
    const returned = []
    const visit = (node) => {
      if (ts.isReturnStatement(node) && node.expression) returned.push(node.expression)
      else if (!isFunction(node)) ts.forEachChild(node, visit)
    }
    visit(callee.body)
    if (returned.length === 0) throw unreadable(callee)
    return follow(returned[pick(callee, env, returned.length, choose)], env, choose)
  }

  /** The same condition on the same values takes the same branch everywhere in a statement. */
  function pick(node, env, count, choose) {
    if (count === 1) return 0
    const given = [...env.values()].map((each) => each.node.pos).join()
    const scope = ts.findAncestor(node, isFunction)
    return choose(`${node.getSourceFile().fileName} ${scope?.pos} ${node.getText()} ${given}`, count)
  }

  /** The result of a comparison with `none`, which is known. */
  function decided(condition, env, choose) {
    if (!ts.isBinaryExpression(condition) || !isNone(condition.right)) return undefined
    return isNone(follow(condition.left, env, choose).node)
  }

  /** Whether a name is `import * as name`. */
  function isModule(name) {
    const symbol = checker.getSymbolAtLocation(name)
    return (
      symbol && symbol.flags & ts.SymbolFlags.Alias && checker.getAliasedSymbol(symbol).flags & ts.SymbolFlags.Module
    )
  }

  function declarationOf(name) {
    let symbol = checker.getSymbolAtLocation(name)
    if (name.parent && ts.isShorthandPropertyAssignment(name.parent))
      symbol = checker.getShorthandAssignmentValueSymbol(name.parent)
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
    return symbol?.valueDeclaration
  }

  function elementOf(type) {
    return checker.getIndexTypeOfType(checker.getNonNullableType(type), ts.IndexKind.Number)
  }
}

const isConst = (declaration) => (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0
const isNone = (node) => ts.isIdentifier(node) && node.text === 'none'

export const isTemplate = (node) =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && TAGS.has(node.tag.text)

export const isFunction = (node) =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node)

function isSql(type) {
  return type.isUnion() ? type.types.some(isSql) : type.symbol?.name === 'Sql'
}

export function mayBeNull(type) {
  if (!type) return false
  const none = ts.TypeFlags.Null | ts.TypeFlags.Undefined
  return (type.flags & none) !== 0 || (type.isUnion() && type.types.some(mayBeNull))
}

function unreadable(node) {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return new Unreadable(`cannot follow \`${node.getText().split('\n')[0].slice(0, 60)}\` of line ${line + 1}`)
}
