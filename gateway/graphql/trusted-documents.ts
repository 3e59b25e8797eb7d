import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, validate, type GraphQLSchema } from 'graphql'
import { isObject } from '../../kernel/json.js'
import type { Logger } from '../../kernel/log.js'
import { projectRoot } from '../../kernel/root.js'
import { hashOf } from '../operation.js'

/** How many of the documents that do not fit are named in the log. */
const UNFIT_SHOWN = 20

/** The documents that a deployment trusts: their texts by their ids. */
export type TrustedDocuments = ReadonlyMap<string, string>

/** What a caller may ask for by an id. */
export interface DocumentsOf {
  /** None for a key of a deployment that trusts all. */
  trusted: TrustedDocuments | undefined
  /** Whether nothing else is run. */
  isBound: boolean
}

/**
 * What is run for whom. Keys run what the deployment trusts, or everything. Sessions of the console run the documents that its
 * pages are made of; in a sandbox that trusts all, its people may try others too.
 */
export function documentsFor(
  trusted: TrustedDocuments | undefined,
  isSandbox: boolean,
): { ofKeys: DocumentsOf; ofPeople: DocumentsOf } {
  const manifest = readFileSync(join(projectRoot, 'schema', 'console-documents.json'), 'utf8')
  const isBound = trusted !== undefined
  return {
    ofKeys: { trusted, isBound },
    ofPeople: { trusted: parseTrustedDocuments(JSON.parse(manifest)), isBound: isBound || !isSandbox },
  }
}

/**
 * Reads a manifest as `@apollo/generate-persisted-query-manifest` writes it, or a map of ids and texts as Relay's compiler does
 * (`persistConfig.file`). Where an id is a SHA-256, it has to be that of its text.
 * @throws Error where it is neither
 */
export function parseTrustedDocuments(content: unknown): TrustedDocuments {
  if (!isObject(content)) throw new Error('it is no manifest')
  const { format, version, operations } = content
  if (format === undefined) return documentsOf(Object.entries(content))
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations))
    throw new Error('it is no apollo-persisted-query-manifest of version 1')
  return documentsOf(
    (operations as (Record<string, unknown> | null)[]).map((operation) => [operation?.['id'], operation?.['body']]),
  )
}

/** Names the trusted documents that the schema does not take: they are of another release, and each is refused when it is asked for. */
export function warnOfUnfit(trusted: TrustedDocuments | undefined, schema: GraphQLSchema, log: Logger): void {
  const unfit = [...(trusted ?? [])].filter(([, text]) => !isTaken(text, schema)).map(([id]) => id)
  if (unfit.length === 0) return
  log.warn({ count: unfit.length, documents: unfit.slice(0, UNFIT_SHOWN) }, 'trusted documents do not fit the schema')
}

function isTaken(text: string, schema: GraphQLSchema): boolean {
  try {
    return validate(schema, parse(text, { noLocation: true })).length === 0
  } catch {
    return false
  }
}

function documentsOf(entries: readonly (readonly [unknown, unknown])[]): TrustedDocuments {
  const documents = new Map<string, string>()
  for (const [id, text] of entries) {
    if (typeof id !== 'string' || typeof text !== 'string' || id === '')
      throw new Error('an operation has no id or text')
    const hash = /^(?:sha256:)?([0-9a-f]{64})$/.exec(id)?.[1]
    if (hash !== undefined && hash !== hashOf(text)) throw new Error(`the text of ${id} has another hash`)
    documents.set(id, text)
  }
  if (documents.size === 0) throw new Error('it names no operation')
  return documents
}
