import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isObject, parseJson } from '../../kernel/json.js'
import type { AuthenticatedRequest } from '../authentication/hook.js'
import { hashOf } from '../operation.js'
import { tellOutcome } from '../request-log.js'
import { refusalCost } from './answer-cost.js'
import { GRAPHQL_ERRORS } from './error-codes.js'
import { graphqlRefusal } from './errors.js'
import type { NewDocuments } from './new-documents.js'
import type { DocumentsOf } from './trusted-documents.js'

/** How much is kept of texts that clients may ask for by their hashes; V8 keeps a character in one byte or two. */
const TEXTS_MAX_BYTES = 8 * 1024 * 1024
const CHARACTER_BYTES = 2

/** Documents that are asked for by an id in place of their text. */
export interface PersistedDocuments {
  /**
   * Puts the text into a request that names a document by its id: from there on it is as if the client had sent it.
   * @returns false where the request was refused
   */
  resolve: (request: AuthenticatedRequest, reply: FastifyReply) => boolean
  /** Told of a document that is valid: from then on its hash will do. */
  passed: (hash: string, text: string) => void
}

/** What a request says of its document. */
interface Asked {
  /** Its fields, of the body or of the query in the address. */
  fields: Readonly<Record<string, unknown>>
  text: string | undefined
  /** Absent where it has none. */
  id: string | undefined
  extensions: Readonly<Record<string, unknown>>
}

/** A refusal in the words of the protocols. */
type Refusal = [code: 'BAD_REQUEST' | 'PERSISTED_QUERY_NOT_FOUND' | 'DOCUMENT_NOT_TRUSTED', message: string]

/**
 * Automatic persisted queries as Apollo's clients ask for them (`extensions.persistedQuery`, a text's SHA-256), and ids of
 * a manifest: there, or as `documentId`.
 * @param hasPassed whether the text of a hash was valid
 * @param ofKeys what keys may run, and `ofPeople` what is run in a session of the console
 */
export function persistedDocuments(
  { hasPassed }: Pick<NewDocuments, 'hasPassed'>,
  { ofKeys, ofPeople }: { ofKeys: DocumentsOf; ofPeople: DocumentsOf },
): PersistedDocuments {
  const texts = new LRUCache<string, string>({
    maxSize: TEXTS_MAX_BYTES,
    sizeCalculation: (text) => CHARACTER_BYTES * text.length + 1,
  })
  const trustedTexts = new Map([ofKeys, ofPeople].map((each) => [each, new Set(each.trusted?.values())]))

  function textFor({ id, text, fields }: Asked, documents: DocumentsOf): string | undefined | Refusal {
    const { trusted, isBound } = documents
    const known = id === undefined ? undefined : trusted?.get(id)
    const found = known ?? text ?? (id === undefined || isBound ? undefined : texts.get(id.replace(/^sha256:/, '')))
    if (isBound && (found === undefined || trustedTexts.get(documents)?.has(found) !== true))
      return ['DOCUMENT_NOT_TRUSTED', 'Only trusted documents are run here; this is none of them.']
    if (id === undefined) return found
    if (fields['query'] !== undefined && known === undefined && hashOf(text ?? '') !== id)
      return ['BAD_REQUEST', 'provided sha does not match query']
    if (found === undefined) return ['PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound']
    if (hasPassed(id)) texts.set(id, found)
    return found
  }

  return {
    passed: (hash, text) => {
      texts.set(hash, text)
    },
    resolve: (request, reply) => {
      const asked = askedBy(request)
      const documents = request.caller?.person === undefined ? ofKeys : ofPeople
      if (!documents.isBound && asked.id === undefined) return true
      const text = textFor(asked, documents)
      if (typeof text === 'string') setText(request, asked, text)
      if (!Array.isArray(text)) return true
      const [code, message] = text
      tellOutcome(reply, code.toLowerCase())
      reply.code(GRAPHQL_ERRORS[code].http).send(graphqlRefusal(code, message, refusalCost(request)))
      return false
    },
  }
}

function askedBy({ method, body, query }: AuthenticatedRequest): Asked {
  const fields = recordOf(isInAddress(method) ? query : body)
  const extensions = recordOf(isInAddress(method) ? parseJson(String(fields['extensions'])) : fields['extensions'])
  const { sha256Hash } = recordOf(extensions['persistedQuery'])
  const id = sha256Hash ?? fields['documentId']
  const { query: text } = fields
  return {
    fields,
    extensions,
    text: typeof text === 'string' ? text : undefined,
    id: typeof id === 'string' ? id : undefined,
  }
}

/** Apollo and the caches read the request anew: they have to find the text that was decided on, and no id. */
function setText(request: AuthenticatedRequest, { fields, extensions }: Asked, text: string): void {
  const { documentId: _id, extensions: _extensions, ...rest } = fields
  const { persistedQuery: _persisted, ...others } = extensions
  const left = Object.keys(others).length > 0 && others
  if (!isInAddress(request.method)) {
    request.body = { ...rest, query: text, ...(left && { extensions: left }) }
    return
  }
  const parameters = { ...rest, query: text, ...(left && { extensions: JSON.stringify(left) }) } as Record<
    string,
    string
  >
  const [path = ''] = request.url.split('?')
  request.query = parameters
  request.raw.url = `${path}?${new URLSearchParams(parameters).toString()}`
}

function isInAddress(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
