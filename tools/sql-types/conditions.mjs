// Facts about columns that follow from a condition: that they are not null, and which values they can have.

/**
 * @param condition a node, or undefined
 * @param holds false: facts if the condition is false
 * @returns {{ name: string, only?: unknown[], not?: unknown[] }[]} for columns of this query; none of them is null
 */
export function factsOf(condition, schema, holds = true) {
  switch (condition?.is) {
    case 'BOOLEXPR': {
      if (condition.boolop === 'not') return factsOf(condition.args[0], schema, !holds)
      const each = condition.args.map((arg) => factsOf(arg, schema, holds))
      return (condition.boolop === 'and') === holds ? each.flat() : factsOfAll(each)
    }
    case 'NULLTEST':
      return (condition.nulltesttype === '1') === holds ? namesOf(condition.arg).map((name) => ({ name })) : []
    case 'OPEXPR':
    case 'SCALARARRAYOPEXPR':
      return compared(condition, schema, holds)
    case 'FUNCEXPR':
      return schema.func(condition.funcid).strict
        ? (condition.args ?? []).flatMap(namesOf).map((name) => ({ name }))
        : []
    case 'VAR':
      return namesOf(condition).map((name) => ({ name, only: [holds] }))
    default:
      return []
  }
}

export const nameOf = ({ varno, varattno }) => `${varno}.${varattno}`

/** The value of a constant: text or a number, undefined for others. */
export function constant(node) {
  if (node?.is === 'RELABELTYPE') return constant(node.arg)
  if (node?.is !== 'CONST' || node.constisnull === 'true') return undefined
  const bytes = Buffer.from(node.constvalue.slice(2, -1).map(Number))
  if (node.consttype === '25') return bytes.subarray(4).toString()
  if (node.consttype === '21') return bytes.readInt16LE()
  if (node.consttype === '23') return bytes.readInt32LE()
  return undefined
}

/** Facts that follow from each alternative; the values are the union. */
function factsOfAll(each) {
  return each[0]
    .filter(({ name }) => each.every((facts) => facts.some((fact) => fact.name === name)))
    .map(({ name }) => {
      const only = each.map((facts) => facts.find((fact) => fact.name === name && fact.only)?.only)
      return only.includes(undefined) ? { name } : { name, only: only.flat() }
    })
}

/** A strict comparison is never true for null; a comparison with constants limits the values. */
function compared({ is, opfuncid, useOr, args }, schema, holds) {
  const { name: operator, strict } = schema.func(opfuncid)
  if (!strict) return []
  const names = args.flatMap((arg) => namesOf(arg))
  const values = (is === 'OPEXPR' ? [args[1]] : (args[1].elements ?? [undefined])).map(constant)
  if (values.includes(undefined) || !/(eq|ne)$/.test(operator)) return names.map((name) => ({ name }))
  const equal = operator.endsWith('eq') && (is === 'OPEXPR' || useOr === 'true')
  return names.map((name) => (equal === holds ? { name, only: values } : { name, not: values }))
}

function namesOf(node) {
  if (node.is === 'RELABELTYPE') return namesOf(node.arg)
  return node.is === 'VAR' && node.varlevelsup === '0' ? [nameOf(node)] : []
}
