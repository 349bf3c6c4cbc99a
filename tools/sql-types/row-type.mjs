// Compares the columns of a result with the row type in the program.
import ts from 'typescript'
import { mayBeNull } from './variants.mjs'

/** PostgreSQL types by their JavaScript type, with the parsers of platform/db/db.ts. Arrays of bigint stay text. */
const NUMBER = new Set(['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision', 'oid'])
const NUMBERS = new Set(['smallint[]', 'integer[]', 'numeric[]', 'real[]', 'double precision[]', 'oid[]'])
const DATE = new Set(['timestamp with time zone', 'timestamp without time zone', 'date'])

const { TypeFlags } = ts

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Type} row
 * @param columns of `describe`
 * @returns {string[]} error messages
 */
export function compareRow(checker, row, columns) {
  if (row.flags & TypeFlags.Unknown) return []
  if (row.flags & (TypeFlags.Any | TypeFlags.TypeParameter)) return [`the row is ${checker.typeToString(row)}`]
  return checker.getPropertiesOfType(row).flatMap((property) => {
    const name = property.name
    const type = checker.getTypeOfSymbol(property)
    const column = columns.findLast((each) => each.name === name)
    if (!column) return property.flags & ts.SymbolFlags.Optional ? [] : [`${name}: the result has no such column`]
    return [...wrongNull(name, type, column), ...wrongType(name, type, column)]
  })

  function wrongNull(name, type, column) {
    if (!column.nullable || type.flags & TypeFlags.Unknown || hasNull(type)) return []
    return [`${name}: may be null, the row says ${checker.typeToString(type)}`]
  }

  function wrongType(name, type, column) {
    if (type.flags & TypeFlags.Any) return [`${name}: is any`]
    const said = type.isUnion()
      ? type.types.filter((each) => !mayBeNull(each))
      : [type].filter((each) => !mayBeNull(each))
    const wrong = said.some((each) => !accepts(each, column.type, column.values))
    if (wrong) return [`${name}: is ${column.type}, the row says ${checker.typeToString(type)}`]
    const literals = said.filter((each) => each.isLiteral()).map((each) => each.value)
    if (literals.length === 0 || literals.length < said.length) return []
    if (!column.values) return [`${name}: may be anything, the row says ${checker.typeToString(type)}`]
    const more = column.values.filter((value) => !literals.includes(value))
    return more.length > 0 ? [`${name}: may be ${more.join(', ')}, the row says ${checker.typeToString(type)}`] : []
  }

  function accepts(said, type, values) {
    if (said.flags & TypeFlags.Unknown) return true
    if (type === 'json' || type === 'jsonb') return values !== undefined
    if (said.isIntersection()) return said.types.some((each) => accepts(each, type))
    if (type === 'boolean') return is(said, TypeFlags.BooleanLike)
    if (NUMBER.has(type)) return is(said, TypeFlags.NumberLike)
    if (DATE.has(type)) return said.symbol?.name === 'Date'
    if (type === 'bytea') return said.symbol?.name === 'Buffer' || said.symbol?.name === 'Uint8Array'
    if (!type.endsWith('[]')) return is(said, TypeFlags.StringLike)
    if (!checker.isArrayType(said)) return false
    const [element] = checker.getTypeArguments(said)
    const elements = element.isUnion() ? element.types : [element]
    if (NUMBERS.has(type)) return elements.every((each) => is(each, TypeFlags.NumberLike))
    if (type === 'bigint[]') return elements.every((each) => is(each, TypeFlags.StringLike))
    return elements.every((each) => accepts(each, type.slice(0, -2)))
  }
}

const is = (type, flags) => (type.flags & flags) !== 0

function hasNull(type) {
  return type.isUnion() ? type.types.some(hasNull) : is(type, TypeFlags.Null)
}
