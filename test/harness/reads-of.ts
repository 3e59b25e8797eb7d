interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

type Query = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>

/**
 * What a statement reads of one table when it runs, by PostgreSQL's own account of its plan.
 * @returns how many rows it looked at, those that it threw away included, and by which kinds of look
 */
export async function readsOf(
  query: Query,
  table: string,
  { text, values }: { text: string; values: unknown[] },
): Promise<{ kinds: string[]; rows: number }> {
  const [row] = await query(`explain (analyze, format json) ${text}`, values)
  const [{ Plan: plan }] = row?.['QUERY PLAN'] as [{ Plan: PlanNode }]
  const reads = withBelow(plan).filter((node) => node['Relation Name'] === table)
  const rows = reads.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
  return {
    kinds: [...new Set(reads.map((node) => node['Node Type']))],
    rows: rows.reduce((sum, count) => sum + count, 0),
  }
}

const withBelow = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withBelow)]
