import { Directive, Field, type FieldOptions } from 'type-graphql'
import { listOfAtMost } from './cost-directives.js'

type TypeOf = NonNullable<Parameters<typeof Field>[0]>

/** A field that an object type and the inputs which set it have in common. */
export interface SharedField {
  /** Its type in an answer, and in the inputs too unless they have types of their own. */
  type: TypeOf
  input?: TypeOf
  patch?: TypeOf
  description: string
  /** What an input says besides. */
  inInput?: string
  /** What a patch says instead. */
  inPatch?: string
  /** May be null in an answer, and absent in an input. */
  nullable?: true
  /** Whether it may be absent in an input, where that differs from an answer. */
  optional?: boolean
  /** Set at creation only: no patch has it. */
  fixed?: true
  /** Why answers should not be asked for it any more. */
  deprecationReason?: string
  /** How long its list can be, where that is known: what a query is counted by. */
  atMost?: number
  /** Answers show it to other subgraphs only. */
  hidden?: true
  /** Inputs, or patches, take it from REST only: clients of the graph do not see it there. */
  hiddenInInput?: true
  hiddenInPatch?: true
}

/** A GraphQL field for each field of a stored shape: one that is missing does not compile. */
export type FieldsOf<Stored> = Readonly<Record<keyof Stored & string, SharedField>>

/**
 * Where fields are declared: in what is read, in what creates it, or in what changes it, where all may be absent. A payment is not
 * changed by clients: its `patch` is the registration from an order, which says the rest.
 */
export type FieldUse = 'answer' | 'input' | 'patch'

/**
 * Declares a class's fields from a list, which can be spelled once for an object type, its input and its patch. With a type
 * argument every field of that type has to be in the list.
 */
export function Fields<Shape extends object = Record<string, unknown>>(
  use: FieldUse,
  fields: Readonly<Record<keyof Shape & string, SharedField>>,
): ClassDecorator {
  return (target) => {
    for (const [name, field] of Object.entries<SharedField>(fields)) {
      if (use === 'patch' && field.fixed) continue
      Field(field[use === 'answer' ? 'type' : use] ?? field.type, optionsOf(use, field))(
        target.prototype as object,
        name,
      )
      const isHidden = { answer: field.hidden, input: field.hiddenInInput, patch: field.hiddenInPatch }[use]
      if (isHidden) Directive('@inaccessible')(target.prototype as object, name)
      if (use === 'answer' && field.atMost !== undefined)
        Directive(listOfAtMost(field.atMost))(target.prototype as object, name)
    }
  }
}

function optionsOf(use: FieldUse, field: SharedField): FieldOptions {
  const { description, inInput, inPatch, optional, nullable, deprecationReason } = field
  switch (use) {
    case 'answer':
      return { description, nullable: nullable ?? false, ...(deprecationReason && { deprecationReason }) }
    case 'input':
      return {
        description: inInput ? `${description} ${inInput}` : description,
        nullable: optional ?? nullable ?? false,
      }
    case 'patch':
      return { description: inPatch ?? description, nullable: true }
  }
}
