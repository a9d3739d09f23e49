/**
 * Adds the bucket to the statements of the verbs, so that those that name an account reach one shard: a value to each
 * inserted row, a condition wherever a statement names an account by its id, and one to each join of two tables by the
 * account. Verbs are thus written once for all databases. Text that Kysely does not parse stays as it is.
 */
import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  type OnConflictNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  ReferenceNode,
  TableNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
} from 'kysely'
import { bucketOf } from '../../../buckets.ts'
import { ACCOUNT_TABLES } from './tables.ts'

/** A distributed table in a statement: under its name or alias. */
interface Source {
  readonly name: string
  readonly owner: string
}

const BUCKET = 'bucket'

/** @param only the bucket that all statements are limited to; null: no limit */
export function bucketed(only: number | null): KyselyPlugin {
  const transformer = new Transformer(only)
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

class Transformer extends OperationNodeTransformer {
  readonly #only: number | null

  constructor(only: number | null) {
    super()
    this.#only = only
  }

  protected override transformNodeImpl<Node extends OperationNode>(node: Node, queryId?: never): Node {
    const inner = super.transformNodeImpl(node, queryId as never)
    switch (inner.kind) {
      case 'SelectQueryNode':
      case 'UpdateQueryNode':
      case 'DeleteQueryNode':
        return this.#withConditions(inner as Node & Conditional)
      case 'InsertQueryNode':
        return withValues(inner as unknown as InsertQueryNode) as unknown as Node
      default:
        return inner
    }
  }

  #withConditions<Node extends OperationNode & Conditional>(node: Node): Node {
    const joins = node.joins ?? []
    const tables = [
      ...(node.from?.froms ?? []),
      ...(node.table ? [node.table] : []),
      ...joins.map(({ table }) => table),
    ]
    const sources = tables.flatMap(sourceOf)
    if (sources.length === 0) return node
    const conditions = [
      ...conjuncts(node.where?.where).flatMap((condition) => bucketConditions(condition, sources)),
      ...(this.#only === null ? [] : sources.map(({ name }) => equal(name, ValueNode.create(this.#only)))),
    ]
    return {
      ...node,
      ...(conditions.length > 0 && { where: withAll(node.where, conditions) }),
      ...(joins.length > 0 && { joins: joins.map((join) => withBucket(join, sources)) }),
    }
  }
}

interface Conditional {
  readonly from?: { readonly froms: readonly OperationNode[] }
  readonly table?: OperationNode
  readonly joins?: readonly JoinNode[]
  readonly where?: WhereNode
}

function sourceOf(node: OperationNode): Source[] {
  const alias = node as { node?: OperationNode; alias?: { name?: string } }
  const isAlias = node.kind === 'AliasNode'
  const table = tableName(isAlias ? alias.node! : node)
  const found = ACCOUNT_TABLES.find(({ name }) => name === table)
  return found === undefined ? [] : [{ name: isAlias ? alias.alias!.name! : found.name, owner: found.owner }]
}

const tableName = (node: OperationNode): string | null =>
  TableNode.is(node) ? node.table.identifier.name : null

function conjuncts(node: OperationNode | undefined): OperationNode[] {
  if (node === undefined) return []
  return AndNode.is(node) ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node]
}

/** The table whose account a reference names; a reference without a table means the statement's only one. */
function accountOf(node: OperationNode, sources: readonly Source[]): Source | null {
  if (!ReferenceNode.is(node) || !ColumnNode.is(node.column)) return null
  const column = node.column.column.name
  const table = node.table?.table.identifier.name ?? sources[0].name
  return sources.find(({ name, owner }) => name === table && owner === column) ?? null
}

function bucketConditions(node: OperationNode, sources: readonly Source[]): OperationNode[] {
  if (!BinaryOperationNode.is(node) || !OperatorNode.is(node.operator)) return []
  const source = accountOf(node.leftOperand, sources)
  if (source === null) return []
  const { operator, rightOperand } = node
  if (operator.operator === '=' && ValueNode.is(rightOperand))
    return [equal(source.name, ValueNode.create(bucketOf(rightOperand.value as number)))]
  if (operator.operator === 'in' && PrimitiveValueListNode.is(rightOperand)) {
    const buckets = [...new Set((rightOperand.values as number[]).map(bucketOf))]
    return [
      BinaryOperationNode.create(
        bucketOfSource(source.name),
        OperatorNode.create('in'),
        PrimitiveValueListNode.create(buckets),
      ),
    ]
  }
  return []
}

const bucketOfSource = (name: string) =>
  ReferenceNode.create(ColumnNode.create(BUCKET), TableNode.create(name))

const equal = (name: string, value: OperationNode) =>
  BinaryOperationNode.create(bucketOfSource(name), OperatorNode.create('='), value)

const withAll = (where: WhereNode | undefined, conditions: readonly OperationNode[]): WhereNode =>
  conditions.reduce<WhereNode | undefined>(
    (all, condition) =>
      all === undefined ? WhereNode.create(condition) : WhereNode.cloneWithOperation(all, 'And', condition),
    where,
  )!

/** Two tables that are joined by the account are joined by the bucket too. */
function withBucket(join: JoinNode, sources: readonly Source[]): JoinNode {
  const pairs = conjuncts(join.on?.on).flatMap((condition) => {
    if (!BinaryOperationNode.is(condition)) return []
    const [left, right] = [condition.leftOperand, condition.rightOperand].map((side) =>
      accountOf(side, sources),
    )
    return left && right ? [equal(left.name, bucketOfSource(right.name))] : []
  })
  if (join.on === undefined || pairs.length === 0) return join
  return { ...join, on: { ...join.on, on: pairs.reduce((on, pair) => AndNode.create(on, pair), join.on.on) } }
}

/** The bucket of each inserted row, also among the columns by which a conflict is recognised. */
function withValues(node: InsertQueryNode): InsertQueryNode {
  const table = ACCOUNT_TABLES.find(({ name }) => node.into !== undefined && name === tableName(node.into))
  if (table === undefined || !node.values || !ValuesNode.is(node.values)) return node
  const columns = node.columns ?? []
  const owner = columns.findIndex(({ column }) => column.name === table.owner)
  if (owner < 0) throw new Error(`a row of ${table.name} is inserted without its account`)
  return {
    ...node,
    columns: [...columns, ColumnNode.create(BUCKET)],
    values: ValuesNode.create(
      node.values.values.map((row) => {
        if (PrimitiveValueListNode.is(row))
          return PrimitiveValueListNode.create([...row.values, bucketOf(Number(row.values[owner] ?? 0))])
        const { value } = row.values[owner] as ValueNode
        return ValueListNode.create([...row.values, ValueNode.create(bucketOf(Number(value ?? 0)))])
      }),
    ),
    ...(node.onConflict?.columns && { onConflict: withColumn(node.onConflict) }),
  }
}

const withColumn = (conflict: OnConflictNode): OnConflictNode => ({
  ...conflict,
  columns: [...conflict.columns!, ColumnNode.create(BUCKET)],
})
