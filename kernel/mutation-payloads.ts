import {
  Kind,
  parse,
  print,
  type DefinitionNode,
  type FieldDefinitionNode,
  type ObjectTypeDefinitionNode,
  type TypeNode,
  type UnionTypeDefinitionNode,
} from 'graphql'
import { ERRORS } from './errors.js'
import { logCause, type Logger } from './log.js'
import { isOperationError, mutationErrors, OPERATION_CODES } from './mutation-errors.js'

type Handler = (...args: unknown[]) => unknown

/** The payload of a mutation. */
interface Payload {
  mutation: string
  /** Its type's name. */
  type: string
  /** The field that holds what the resolver gives, and the type of that. */
  field: string
  of: string
  /** Whether clients are not told of the mutation. */
  isHidden: boolean
}

/** The types that every subgraph with mutations has alike: composition keeps one of each. */
const ERROR_TYPES = `
  """Why a mutation did not do what it was asked."""
  interface MutationError {
    """What went wrong, for programs."""
    code: ErrorCode!
    """What went wrong, for developers."""
    message: String!
    """The field that is to blame, from the input down; null where none is."""
    path: [String!]
  }
  """A field of the input that is not acceptable."""
  type InputError implements MutationError @shareable {
    """What went wrong, for programs."""
    code: ErrorCode!
    """What is wrong with the field."""
    message: String!
    """The field, from the input down. There always; of one form with \`OperationError.path\`, so that a document can select both."""
    path: [String!]
  }
  """Why an operation was refused, or failed."""
  type OperationError implements MutationError @shareable {
    """What went wrong, for programs."""
    code: ErrorCode!
    """What went wrong, for developers."""
    message: String!
    """The field that is to blame, from the input down; null where none is."""
    path: [String!]
    """What another system said, e.g. a chain."""
    details: String
  }
  """What went wrong. REST answers the same words in lower case as \`status\`."""
  enum ErrorCode {
    ${OPERATION_CODES.map((code) => `${JSON.stringify(meaningOf(code))} ${code.toUpperCase()}`).join('\n')}
  }`

/** What a code means in the graph, where nobody asks for a path. */
function meaningOf(code: (typeof OPERATION_CODES)[number]): string {
  return code === 'not_found' ? 'What was named is not there; `message` says what.' : ERRORS[code].message
}

/**
 * Gives every mutation a payload of its own: `createOrder: Order!` becomes `createOrder: CreateOrderPayload`, which holds
 * `order` and `errors`. Resolvers are written without it. What only other parts of the product call, and answers a word or a
 * number, stays as it is.
 * @param sdl of a subgraph
 * @throws Error where a mutation answers a list: a payload names one thing
 */
export function withPayloads(sdl: string): { sdl: string; payloads: readonly Payload[] } {
  const document = parse(sdl)
  const mutations = document.definitions.filter(isObjectType).find(({ name }) => name.value === 'Mutation')
  const things = new Set(document.definitions.filter(isThing).map(({ name }) => name.value))
  const payloads = (mutations?.fields ?? []).map(payloadOf).filter(({ of, isHidden }) => !isHidden || things.has(of))
  if (!mutations || payloads.length === 0) return { sdl, payloads }
  const changed = { ...mutations, fields: mutations.fields?.map((field) => withPayload(field, payloads)) ?? [] }
  const definitions = document.definitions.map((node) => (node === mutations ? changed : node))
  const added = parse([...payloads.map(payloadType), ERROR_TYPES].join('\n')).definitions
  return { sdl: `${print({ kind: Kind.DOCUMENT, definitions: [...definitions, ...added] })}\n`, payloads }
}

function isObjectType(node: DefinitionNode): node is ObjectTypeDefinitionNode {
  return node.kind === Kind.OBJECT_TYPE_DEFINITION
}

/** Whether it is what has fields, or one of several that have. */
function isThing(node: DefinitionNode): node is ObjectTypeDefinitionNode | UnionTypeDefinitionNode {
  return isObjectType(node) || node.kind === Kind.UNION_TYPE_DEFINITION
}

function payloadOf({ name: { value: mutation }, type, directives = [] }: FieldDefinitionNode): Payload {
  const of = nameOf(type)
  const capital = mutation.charAt(0).toUpperCase() + mutation.slice(1)
  const isHidden = directives.some(({ name }) => name.value === 'inaccessible')
  return { mutation, type: `${capital}Payload`, field: of.charAt(0).toLowerCase() + of.slice(1), of, isHidden }
}

function nameOf(type: TypeNode): string {
  if (type.kind === Kind.NON_NULL_TYPE) return nameOf(type.type)
  if (type.kind === Kind.LIST_TYPE) throw new Error('a mutation answers one thing: its payload is named after it')
  return type.name.value
}

function withPayload(field: FieldDefinitionNode, payloads: readonly Payload[]): FieldDefinitionNode {
  const payload = payloads.find(({ mutation }) => mutation === field.name.value)
  if (!payload) return field
  return { ...field, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: payload.type } } }
}

function payloadType({ mutation, type, field, of, isHidden }: Payload): string {
  return `
    """What \`${mutation}\` answers."""
    type ${type} ${isHidden ? '@inaccessible ' : ''}{
      """What was done; null where it was refused."""
      ${field}: ${of}
      """Why it was refused; empty where it was not."""
      errors: [MutationError!]!
    }`
}

/**
 * Makes resolvers answer the payloads: a failure that a caller may see by its code becomes its `errors`, so that it takes
 * nothing from the other fields of the answer. Any other is thrown on.
 * @param handlers the resolvers of `Mutation` by field, changed in place
 */
export function answerPayloads(handlers: Record<string, unknown>, payloads: readonly Payload[]): void {
  for (const { mutation, field } of payloads) {
    const handler = handlers[mutation] as Handler
    handlers[mutation] = async (...args: unknown[]): Promise<object> => {
      try {
        return { [field]: await handler(...args), errors: [] }
      } catch (error) {
        if (!isOperationError(error)) throw error
        const { log, requestId } = args[2] as { log: Logger; requestId: string }
        logCause(error, requestId, log)
        return { [field]: null, errors: mutationErrors(error) }
      }
    }
  }
}
