import { Arg, Ctx, Directive, Field, ObjectType, Query, Resolver } from 'type-graphql'
import type { FieldFailure } from '../../../kernel/errors.js'
import { JsonValue } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { findInputFailures, type FindInputFailuresDeps } from '../domain/find-input-failures.js'

@Directive('@shareable')
@Directive('@inaccessible')
@ObjectType('FieldFailure', { description: 'A field that is not acceptable.' })
export class FieldFailureType {
  @Field(() => String, { description: 'The dotted path.' })
  field!: string

  @Field(() => String, { description: 'What is wrong with it.' })
  message!: string
}

@Resolver()
export class InputFailuresResolver {
  @Directive('@inaccessible')
  @Query(() => [FieldFailureType], { description: 'The rules that a partial input breaks.' })
  paymentsInputFailures(
    @Arg('operation', () => String) operation: string,
    @Arg('input', () => JsonValue) input: unknown,
    @Ctx() context: SubgraphContext<FindInputFailuresDeps>,
  ): Promise<FieldFailure[]> {
    return findInputFailures(context.deps, { operation, input: input as Record<string, unknown> })
  }
}
