import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  executeOnChain,
  type ExecuteOnChainInput as Input,
  type ExecuteOnChainDeps,
} from '../domain/transfers/execute-on-chain.js'
import type { RequestLoaders } from '../request-loaders.js'
import { NAMED_BY_REST, PaymentType } from './payment.type.js'

@InputType({ description: "The payer's signed transaction, or the one that his wallet has sent." })
export class ExecuteOnChainInput implements Input {
  @Field(() => ID, { description: 'The payment that it pays.' })
  paymentId!: string

  @Field(() => String, {
    nullable: true,
    description: 'EVM: 0x-hex; Solana: base64 wire. Either this or `txHash`.',
  })
  signedTransaction?: string

  @Field(() => String, {
    nullable: true,
    description: 'Of a wallet that sends by itself: the hash of its transaction; on Solana its signature, base58.',
  })
  txHash?: string
}

@ObjectType({ description: "What a payer's signed transaction led to." })
export class ExecutedPayment {
  @Field(() => ID, { description: 'The id of the payment.' })
  paymentId!: string

  @Field(() => String, {
    description: 'The hash of the transaction on chain.',
    deprecationReason: NAMED_BY_REST,
  })
  tidHash!: string

  @Field(() => String, { description: 'The hash of the transaction on chain.' })
  transactionHash!: string

  @Field(() => Boolean, {
    description:
      'Whether the receivers have their money; otherwise blocks, a split or a bridge are waited for, and the payment completes by itself.',
  })
  settled!: boolean

  @Field(() => PaymentType, { description: 'The payment.' })
  payment!: PaymentType
}

@Resolver()
export class ExecuteOnChainResolver {
  @Mutation(() => ExecutedPayment, {
    description:
      'Relays a signed transaction, once, or takes up one that was sent, and waits up to 20 seconds until the chain has confirmed it.',
  })
  async executeOnChain(
    @Arg('input', () => ExecuteOnChainInput, { description: 'What was signed, for which payment.' })
    input: ExecuteOnChainInput,
    @Ctx() context: SubgraphContext<ExecuteOnChainDeps & Pick<RequestLoaders, 'paymentById'>>,
  ): Promise<object> {
    const tenant = tenantOf(context)
    const { id, tidHash, settled } = await executeOnChain(context.deps, tenant, input)
    const hashes = { tidHash, transactionHash: tidHash }
    return { paymentId: id, ...hashes, settled, payment: await context.deps.paymentById(tenant.id, id) }
  }
}
