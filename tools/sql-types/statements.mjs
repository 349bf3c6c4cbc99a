// Finds the statements of a program, where they are run, and their row types.
import { relative } from 'node:path'
import ts from 'typescript'
import { createReader, isFunction, isTemplate, Unreadable } from './variants.mjs'

/** @param {string} config a tsconfig.json */
export function programOf(config) {
  const onUnRecoverableConfigFileDiagnostic = ({ messageText }) => {
    throw new Error(String(messageText))
  }
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic }
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(config, { noEmit: true }, host)
  return ts.createProgram(fileNames, options)
}

const RUNS = new Set(['rows', 'maybe', 'one', 'run'])
const STATEMENT = /^\s*(select|insert|update|delete|with|lock|merge)\b/i

/**
 * @param {ts.Program} program
 * @param {string} root base of relative paths
 * @returns place, variants and row type of each statement; and statements that could not be read
 */
export function findStatements(program, root) {
  const checker = program.getTypeChecker()
  const files = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !file.fileName.includes('node_modules'))
  const runs = []
  const templates = []
  const calls = new Map()
  for (const file of files) visit(file)
  const variants = createReader(checker, calls)
  const reached = new Set()
  const statements = []
  const unread = []
  for (const call of runs) {
    add(call, call.arguments[0], rowOf(call))
    if (isCast(call)) unread.push({ place: placeOf(call), node: call, reason: 'its rows are cast' })
  }
  // Statements that are defined here and run elsewhere, such as each module's list of expired rows to delete.
  for (const template of templates)
    if (!reached.has(template) && STATEMENT.test(textOf(template))) add(template, template, undefined)
  for (const template of templates)
    if (!reached.has(template) && !unread.some(({ node }) => contains(node, template)))
      unread.push({ place: placeOf(template), node: template, reason: 'no statement uses this fragment' })
  return { checker, statements, unread, templates: templates.length }

  function visit(node) {
    if (isTemplate(node)) templates.push(node)
    if (ts.isCallExpression(node)) {
      const declaration = checker.getResolvedSignature(node)?.declaration
      if (declaration) calls.set(declaration, [...(calls.get(declaration) ?? []), node])
      if (isRun(node, declaration)) runs.push(node)
    }
    ts.forEachChild(node, visit)
  }

  function add(node, expression, row) {
    const place = placeOf(node)
    try {
      const all = variants(expression)
      for (const each of all) for (const template of each.templates) reached.add(template)
      statements.push({ place, node, row, variants: all })
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      unread.push({ place, node, reason: error.message })
    }
  }

  function rowOf(call) {
    const method = call.expression.name.text
    if (method === 'run') return undefined
    const answered = checker.getReturnTypeOfSignature(checker.getResolvedSignature(call))
    const [row] = checker.getTypeArguments(answered)
    if (method === 'rows') return checker.getTypeArguments(row)[0]
    return method === 'one' ? row : definite(row)
  }

  function definite(type) {
    return type.isUnion() ? checker.getNonNullableType(type) : type
  }

  function placeOf(node) {
    const file = node.getSourceFile()
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    let name
    for (let each = node; each && !name; each = each.parent) name = nameOf(each)
    const path = relative(root, file.fileName)
    return { name: `${path} ${name ?? ''}`, text: `${path}:${line + 1} ${name ?? ''}`.trim() }
  }
}

/** Whether a call runs a statement with a method of `Db`. */
function isRun({ expression }, declaration) {
  if (!ts.isPropertyAccessExpression(expression) || !RUNS.has(expression.name.text)) return false
  return declaration && ts.isMethodSignature(declaration) && declaration.parent.name?.text === 'Db'
}

/** Whether the result of a call is cast to another type. */
function isCast({ parent }) {
  if (ts.isAwaitExpression(parent) || ts.isParenthesizedExpression(parent)) return isCast(parent)
  return ts.isAsExpression(parent)
}

/** The name of a function, or of a constant at the top of a file. */
function nameOf(node) {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText()
  if (!ts.isVariableDeclaration(node)) return undefined
  const isOuter = ts.isSourceFile(node.parent.parent.parent)
  return isOuter || (node.initializer && isFunction(node.initializer)) ? node.name.getText() : undefined
}

function textOf({ template }) {
  return ts.isNoSubstitutionTemplateLiteral(template) ? template.text : template.head.text
}

const contains = (outer, node) => ts.findAncestor(node, (each) => each === outer) !== undefined
