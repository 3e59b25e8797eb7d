import { BreakingChangeType, findBreakingChanges, findDangerousChanges, type GraphQLSchema } from 'graphql'

/** A change of the API schema that breaks clients, and why it is made all the same. */
export interface AcceptedChange {
  /** The change as it is told; `*` stands for any one name in it. */
  change: string
  reason: string
}

/** What a schema changes of another, in sentences. */
export interface SchemaChanges {
  /** Breaks clients, and no reason is given. */
  breaking: readonly string[]
  accepted: readonly { change: string; reason: string }[]
  /** May change what a client does that is written carelessly. */
  dangerous: readonly string[]
  /** Is new: no client can know of it. */
  safe: readonly string[]
  /** Accepted changes that nothing is any more. */
  stale: readonly string[]
}

/** What can only be added or removed: seen from the new schema, what was added is missing in the old. */
const REMOVALS: readonly string[] = [
  BreakingChangeType.TYPE_REMOVED,
  BreakingChangeType.FIELD_REMOVED,
  BreakingChangeType.ARG_REMOVED,
  BreakingChangeType.DIRECTIVE_REMOVED,
]

/** Compares the API schema with that of a release. */
export function schemaChanges(
  released: GraphQLSchema,
  current: GraphQLSchema,
  accepted: readonly AcceptedChange[],
): SchemaChanges {
  const broken = findBreakingChanges(released, current).map(({ description }) => description)
  const reasonOf = (change: string) => accepted.find((one) => isMeant(one, change))?.reason
  const withReason = broken.flatMap((change) => {
    const reason = reasonOf(change)
    return reason === undefined ? [] : [{ change, reason }]
  })
  const dangerous = findDangerousChanges(released, current)
    .map(({ description }) => description)
    .toSorted()
  return {
    breaking: broken.filter((change) => reasonOf(change) === undefined),
    accepted: withReason,
    dangerous,
    safe: additions(released, current).filter((addition) => !dangerous.some((one) => one.startsWith(addition))),
    stale: accepted.filter((one) => !broken.some((change) => isMeant(one, change))).map(({ change }) => change),
  }
}

/** A name is a word: a pattern for the type of every mutation accepts none that is removed, and no change of its arguments. */
function isMeant({ change: meant }: AcceptedChange, change: string): boolean {
  const parts = meant.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('\\w+')}$`).test(change)
}

function additions(released: GraphQLSchema, current: GraphQLSchema): string[] {
  return findBreakingChanges(current, released)
    .filter(({ type }) => REMOVALS.includes(type))
    .map(({ description }) =>
      description.replace(/ was removed\.$/, ' was added.').replace(/ was removed /, ' was added '),
    )
}

/** The changes as Markdown, for a pull request. @param release its version */
export function asMarkdown({ breaking, accepted, dangerous, safe, stale }: SchemaChanges, release: string): string {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`### ${title} (${lines.length})`, '', ...lines.map((line) => `- ${line}`), '']
  const sections = [
    ...section('Breaking, and without a reason', breaking),
    ...section('Reasons for what is no change any more', stale),
    ...section(
      'Breaking, with a reason',
      accepted.map(({ change, reason }) => `${change} ${reason}`),
    ),
    ...section('Dangerous', dangerous),
    ...section('Safe', safe),
  ]
  const title = `## API schema since ${release}`
  return [title, '', ...(sections.length > 0 ? sections : ['No change.', ''])].join('\n')
}
