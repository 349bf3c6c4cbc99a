// Derives nullability and possible values of result columns from PostgreSQL's tree of the statement.
import { constant, factsOf, nameOf } from './conditions.mjs'

/** Functions that never return null. */
const NEVER_NULL = new Set(
  'concat concat_ws count format jsonb_build_object json_build_object jsonb_build_array row_number rank dense_rank'.split(
    ' ',
  ),
)
/** Strict functions that can return null for arguments that are not null. */
const MAY_BE_NULL = new Set(
  `array_length array_upper array_lower regexp_match regexp_substr lag lead first_value last_value nth_value to_regclass
  jsonb_object_field jsonb_object_field_text jsonb_array_element jsonb_array_element_text jsonb_extract_path jsonb_extract_path_text
  json_object_field json_object_field_text`.split(/\s+/),
)
/** The kinds of tables in a query. */
const RTE = { relation: '0', subquery: '1', join: '2', function: '3', values: '5', cte: '6', group: '9' }
const UPDATE = '2'

/**
 * @param query a QUERY node
 * @param schema `isNotNull(relation, column)`, `values(relation, column)` and `func(oid)` → { name, strict }
 * @param params for each parameter, whether it and its elements can be null
 * @returns for each column, whether it can be null, and its values if known
 */
export function resultColumns(query, schema, params) {
  /** Columns being evaluated: a recursive query that reaches itself adds nothing new. */
  const open = new Set()
  const scope = scopeOf(query)
  return outputs(query).map((_, index) => ({ nullable: anyNull(scope, index), values: allValues(scope, index) }))

  function scopeOf(query, parent) {
    return { query, parent, facts: query.jointree ? fromTree(query.jointree) : [] }
  }

  function fromTree(node) {
    if (node.is === 'FROMEXPR') return [...(node.fromlist ?? []).flatMap(fromTree), ...factsOf(node.quals, schema)]
    if (node.is !== 'JOINEXPR' || node.jointype !== '0') return []
    return [...fromTree(node.larg), ...fromTree(node.rarg), ...factsOf(node.quals, schema)]
  }

  function anyNull(scope, index) {
    return columnOf(scope, index).some((each) => once(`null ${each.key}`, false, () => nullable(each.node, each.scope)))
  }

  function allValues(scope, index) {
    return union(
      columnOf(scope, index).map((each) => once(`values ${each.key}`, [], () => values(each.node, each.scope))),
    )
  }

  function once(key, known, work) {
    if (open.has(key)) return known
    open.add(key)
    try {
      return work()
    } finally {
      open.delete(key)
    }
  }

  /** The expressions of a column; a union has several. */
  function columnOf(scope, index) {
    const { query } = scope
    if (query.setOperations)
      return leaves(query.setOperations).flatMap((leaf) =>
        columnOf(scopeOf(query.rtable[leaf - 1].subquery, scope), index),
      )
    const node = outputs(query)[index]?.expr
    return [{ node, key: keyOf(node), scope: query.returningList ? { ...scope, returning: true } : scope }]
  }

  function nullable(node, scope) {
    switch (node?.is) {
      case 'VAR': {
        const from = origin(node, scope)
        return !from.known && (from.nulled || from.null())
      }
      case 'CONST':
        return node.constisnull === 'true'
      case 'PARAM':
        return node.paramkind === '0'
          ? (params[node.paramid - 1]?.nullable ?? true)
          : anyNull(scope.asked, node.paramid - 1)
      case 'AGGREF':
        return aggregate(node, scope)
      case 'WINDOWFUNC':
        return called(node.winfnoid, node.args, scope, true)
      case 'FUNCEXPR':
        return called(node.funcid, node.args, scope)
      case 'OPEXPR':
      case 'SCALARARRAYOPEXPR':
        return called(node.opfuncid, node.args, scope)
      case 'BOOLEXPR':
        return node.args.some((each) => nullable(each, scope))
      case 'CASEEXPR':
        return branches(node, scope).some((branch) => nullable(branch.node, branch.scope))
      case 'COALESCEEXPR':
      case 'MINMAXEXPR':
        return node.args.every((each) => nullable(each, scope))
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'COLLATEEXPR':
        return nullable(node.arg, scope)
      case 'TARGETENTRY':
        return nullable(node.expr, scope)
      case 'SUBLINK':
        return sublink(node, scope)
      case 'DISTINCTEXPR':
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'SQLVALUEFUNCTION':
      case 'ARRAYEXPR':
      case 'ROWEXPR':
      case 'JSONCONSTRUCTOREXPR':
        return false
      default:
        return true
    }
  }

  /** The possible values of an expression except null; undefined if unlimited. */
  function values(node, scope) {
    switch (node?.is) {
      case 'CONST': {
        if (node.constisnull === 'true') return []
        const value = constant(node)
        return value === undefined ? undefined : [value]
      }
      case 'VAR': {
        const { only, not, values: inner } = origin(node, scope)
        return (only ?? inner())?.filter((value) => !not.includes(value))
      }
      case 'CASEEXPR':
        return union(branches(node, scope).map((branch) => values(branch.node, branch.scope)))
      case 'COALESCEEXPR':
        return union(node.args.map((each) => values(each, scope)))
      case 'RELABELTYPE':
      case 'COLLATEEXPR':
        return values(node.arg, scope)
      case 'SUBLINK':
        return node.subLinkType === '4' ? allValues(scopeOf(node.subselect, scope), 0) : undefined
      default:
        return undefined
    }
  }

  /** The branches of a `case`, each with the facts that its condition implies. */
  function branches({ arg, args, defresult }, scope) {
    let facts = scope.facts
    const taken = args.map((when) => {
      const branch = {
        node: when.result,
        scope: { ...scope, facts: arg ? facts : [...facts, ...factsOf(when.expr, schema)] },
      }
      if (!arg) facts = [...facts, ...factsOf(when.expr, schema, false)]
      return branch
    })
    return [...taken, { node: defresult, scope: { ...scope, facts } }]
  }

  /** The source of a column, and the facts about it. */
  function origin(node, from) {
    let scope = from
    for (let level = Number(node.varlevelsup); level > 0; level--) scope = scope.parent
    const { query } = scope
    const table = query.rtable[node.varno - 1]
    const position = node.varattno - 1
    const changed = scope.returning && query.commandType === UPDATE && node.varno === query.resultRelation
    const assignment = changed && query.targetList.find(({ resno }) => resno === node.varattno)
    // Conditions apply to the row before the update.
    const facts = assignment ? [] : scope.facts.filter(({ name }) => name === nameOf(node))
    const known = {
      known: facts.length > 0 || position < 0,
      only: facts.findLast(({ only }) => only)?.only,
      not: facts.flatMap(({ not = [] }) => not),
      nulled: node.varnullingrels.length > 1,
    }
    if (table.rtekind !== RTE.relation) return { ...known, ...within(table, position, scope) }
    const isNotNull = schema.isNotNull(table.relid, node.varattno)
    const allowed = schema.values(table.relid, node.varattno)
    if (!assignment) return { ...known, null: () => !isNotNull, values: () => allowed }
    const before = { ...scope, returning: false }
    return {
      ...known,
      null: () => !isNotNull && nullable(assignment.expr, before),
      values: () => values(assignment.expr, before) ?? allowed,
    }
  }

  function within(table, position, from) {
    let scope = from
    switch (table.rtekind) {
      case RTE.subquery:
        return output(scopeOf(table.subquery, scope), position)
      case RTE.cte: {
        for (let level = Number(table.ctelevelsup); level > 0; level--) scope = scope.parent
        const { ctequery } = scope.query.cteList.find(({ ctename }) => ctename === table.ctename)
        return output(scopeOf(ctequery, scope), position)
      }
      case RTE.join:
        return expressions([table.joinaliasvars[position]], scope)
      case RTE.group:
        return expressions([table.groupexprs[position]], scope)
      case RTE.values:
        return expressions(
          table.values_lists.map((row) => row[position]),
          scope,
        )
      case RTE.function:
        return { null: () => fromFunction(table, position, scope), values: () => undefined }
      default:
        return { null: () => true, values: () => undefined }
    }
  }

  function output(scope, position) {
    return { null: () => anyNull(scope, position), values: () => allValues(scope, position) }
  }

  function expressions(nodes, scope) {
    return {
      null: () => nodes.some((node) => nullable(node, scope)),
      values: () => union(nodes.map((node) => values(node, scope))),
    }
  }

  /** Rows of a function: each column of `unnest` belongs to one array; the ordinality column is never null. */
  function fromFunction({ functions }, position, scope) {
    const [first] = functions
    const { funcexpr: call } = functions[position] ?? (functions.length === 1 ? first : {})
    if (position >= Number(first.funccolcount) && functions.length === 1) return false
    if (call?.is !== 'FUNCEXPR') return functions.length === 1
    if (schema.func(call.funcid).name !== 'unnest') return called(call.funcid, call.args, scope)
    let [array] = call.args
    while (array.arg) array = array.arg
    return array.is === 'PARAM' && (params[array.paramid - 1]?.elementNullable ?? false)
  }

  function called(oid, args = [], scope, window = false) {
    const { name, strict } = schema.func(oid)
    if (NEVER_NULL.has(name)) return false
    return MAY_BE_NULL.has(name) || (!strict && !window) || args.some((each) => nullable(each, scope))
  }

  /** Without rows, every aggregate except count is null; groups always have rows. */
  function aggregate({ aggfnoid, agglevelsup, aggfilter, args }, from) {
    if (schema.func(aggfnoid).name === 'count') return false
    let scope = from
    for (let level = Number(agglevelsup); level > 0; level--) scope = scope.parent
    return !scope.query.groupClause || aggfilter !== undefined || args.some((each) => nullable(each, from))
  }

  function sublink({ subLinkType, subselect, testexpr }, scope) {
    if (subLinkType === '0' || subLinkType === '6') return false
    const asked = scopeOf(subselect, scope)
    if (testexpr) return nullable(testexpr, { ...scope, asked })
    // A scalar subquery is null without a row; an aggregate without groups always has one.
    const always = subselect.hasAggs === 'true' && !subselect.groupClause && !subselect.havingQual
    return !always || anyNull(asked, 0)
  }
}

const keys = new WeakMap()
let made = 0
function keyOf(node) {
  if (!node) return 0
  if (!keys.has(node)) keys.set(node, ++made)
  return keys.get(node)
}

function union(lists) {
  return lists.includes(undefined) ? undefined : [...new Set(lists.flat())]
}

function leaves(node) {
  return node.is === 'RANGETBLREF' ? [node.rtindex] : [...leaves(node.larg), ...leaves(node.rarg)]
}

function outputs(query) {
  const list = query.returningList ?? (query.commandType === '1' ? query.targetList : [])
  return (list ?? []).filter(({ resjunk }) => resjunk === 'false')
}
