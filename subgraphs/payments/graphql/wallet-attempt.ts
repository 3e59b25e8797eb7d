import { Arg, Ctx, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { endWalletAttempt, type EndWalletAttemptDeps } from '../domain/transfers/end-wallet-attempt.js'
import {
  executeOnChain,
  type ExecuteOnChainInput as Input,
  type ExecuteOnChainDeps,
} from '../domain/transfers/execute-on-chain.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { NAMED_BY_REST, PaymentType } from './payment.type.js'

@Fields<Input>('input', {
  paymentId: { type: () => ID, description: 'The payment that it pays.' },
  signedTransaction: {
    type: () => String,
    nullable: true,
    description: 'EVM: 0x-hex; Solana: base64 wire. Either this or `txHash`.',
  },
  txHash: {
    type: () => String,
    nullable: true,
    description: 'Of a wallet that sends by itself: the hash of its transaction; on Solana its signature, base58.',
  },
})
@InputType({ description: "The payer's signed transaction, or the one that his wallet has sent." })
export class ExecuteOnChainInput {}

@Fields('answer', {
  paymentId: { type: () => ID, description: 'The id of the payment.' },
  tidHash: {
    type: () => String,
    description: 'The hash of the transaction on chain.',
    deprecationReason: NAMED_BY_REST,
  },
  transactionHash: { type: () => String, description: 'The hash of the transaction on chain.' },
  settled: {
    type: () => Boolean,
    description:
      'Whether the receivers have their money; otherwise blocks, a split or a bridge are waited for, and the payment completes by itself.',
  },
  payment: { type: () => PaymentType, description: 'The payment.' },
})
@ObjectType({ description: "What a payer's signed transaction led to." })
export class ExecutedPayment {}

@Resolver()
export class WalletAttemptResolver {
  @Mutation(() => PaymentType, {
    description:
      'Ends the attempt of a wallet that has paid nothing, so that the payer can choose another way. What the chain shows as sent counts, and cannot be ended.',
  })
  endWalletAttempt(
    @Arg('id', () => ID, { description: 'The payment.' }) id: string,
    @Ctx() context: SubgraphContext<EndWalletAttemptDeps>,
  ): Promise<Payment> {
    return endWalletAttempt(context.deps, tenantOf(context), { id })
  }

  @Mutation(() => ExecutedPayment, {
    description:
      'Relays a signed transaction, once, or takes up one that was sent, and waits up to 20 seconds until the chain has confirmed it.',
  })
  async executeOnChain(
    @Arg('input', () => ExecuteOnChainInput, { description: 'What was signed, for which payment.' })
    input: Input,
    @Ctx() context: SubgraphContext<ExecuteOnChainDeps & Pick<RequestLoaders, 'paymentById'>>,
  ): Promise<object> {
    const tenant = tenantOf(context)
    const { id, tidHash, settled } = await executeOnChain(context.deps, tenant, input)
    const hashes = { tidHash, transactionHash: tidHash }
    return { paymentId: id, ...hashes, settled, payment: await context.deps.paymentById(tenant.id, id) }
  }
}
