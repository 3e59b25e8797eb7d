import { Directive, Field, ID, Int, ObjectType, createUnionType } from 'type-graphql'
import { DateTime, Decimal, EmailAddress, JsonValue, Url } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { TransactionType } from '../model/transaction-type.js'
import { Node } from './node.type.js'
import { PaymentFailure } from './failure-reason.js'
import { ChainFamilyEnum, PaymentStatusEnum, TransactionSourceEnum, TransactionTypeEnum } from './payment.enums.js'
import { PAYMENT_TERMS } from './payment.terms.js'

/** Why a hash of the name that REST has for it is deprecated. */
export const NAMED_BY_REST = 'Hashes are called `transactionHash`: use that. It stays for as long as REST shows it.'

@ObjectType({ description: 'The fields of an EVM transaction to sign; quantities are decimal strings.' })
export class EvmTransactionRequest {
  @Field(() => String, { description: 'The contract or account called.' })
  to!: string

  @Field(() => String, { description: 'The payer, who has to sign.' })
  from!: string

  @Field(() => String, { description: 'Calldata, 0x-hex.' })
  data!: string

  @Field(() => Int, { description: "The payer's account nonce." })
  nonce!: number

  @Field(() => String, { description: 'Native coin sent along, in its smallest unit.' })
  value!: string

  @Field(() => Int, { description: "The chain's id." })
  chainId!: number

  @Field(() => String, { description: 'Upper limit of gas.' })
  gasLimit!: string

  @Field(() => String, { description: 'Highest total fee per gas, in wei.' })
  maxFeePerGas!: string

  @Field(() => String, { description: 'Highest priority fee per gas, in wei.' })
  maxPriorityFeePerGas!: string
}

@ObjectType({ description: 'An allowance that the payer has to grant before the transaction can succeed.' })
export class TokenApproval {
  @Field(() => String, { description: "The token's contract." })
  token!: string

  @Field(() => String, { description: 'Who may spend.' })
  spender!: string

  @Field(() => String, { description: "How much, in the token's smallest unit." })
  amount!: string
}

@ObjectType({ description: 'How a transaction was built.' })
export class TransactionMeta {
  @Field(() => TransactionSourceEnum, { description: 'Who built it, and in which form.' })
  source!: string

  @Field(() => TokenApproval, { nullable: true, description: 'Needed first, where the router asks for it.' })
  approval?: TokenApproval
}

@ObjectType({ description: 'An unsigned transaction for an EVM wallet.' })
export class EvmTransaction {
  @Field(() => Int, { description: "Version of this object's shape." })
  schemaVersion!: number

  @Field(() => ChainFamilyEnum, { description: 'Always EVM.' })
  family!: 'evm'

  @Field(() => String, { description: 'The chain that the payer pays on.' })
  chainName!: string

  @Field(() => EvmTransactionRequest, { description: 'What to sign.' })
  transactionRequest!: EvmTransactionRequest

  @Field(() => TransactionMeta, { description: 'How it was built.' })
  meta!: TransactionMeta
}

@ObjectType({ description: 'An unsigned transaction for a Solana wallet.' })
export class SolanaTransaction {
  @Field(() => Int, { description: "Version of this object's shape." })
  schemaVersion!: number

  @Field(() => ChainFamilyEnum, { description: 'Always SOLANA.' })
  family!: 'solana'

  @Field(() => String, { description: 'The chain that the payer pays on.' })
  chainName!: string

  @Field(() => String, { description: 'The unsigned wire, base64.' })
  serialized!: string

  @Field(() => String, { description: 'The blockhash it is bound to.' })
  recentBlockhash!: string

  @Field(() => Int, { description: 'The last block height at which it can land.' })
  lastValidBlockHeight!: number

  @Field(() => String, { description: 'Who pays the fee and signs.' })
  feePayer!: string

  @Field(() => String, { description: 'The key that marks the transfer as this payment.' })
  reference!: string

  @Field(() => TransactionMeta, { description: 'How it was built.' })
  meta!: TransactionMeta
}

export const UnsignedTransactionUnion = createUnionType({
  name: 'UnsignedTransaction',
  description: 'A transaction that a wallet has to sign.',
  types: () => [EvmTransaction, SolanaTransaction] as const,
  resolveType: (value) => (value.family === 'evm' ? EvmTransaction : SolanaTransaction),
})

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'A reusable checkout order: the terms from which payments are registered.',
  implements: Node,
})
export class Order {
  @Field(() => ID, { description: 'The id of the order.' })
  id!: string
}

@Directive('@key(fields: "id")')
@Fields('answer', PAYMENT_TERMS)
@ObjectType('Payment', {
  description: 'A payment: what a tenant asked for, how it is paid, and where it stands.',
  implements: Node,
})
export class PaymentType {
  @Field(() => ID, { description: 'The id of the payment.' })
  id!: string

  @Field(() => PaymentStatusEnum, { description: 'Where it stands.' })
  status!: PaymentStatus

  @Field(() => Int, { description: 'Counts its changes from 1: the sequence of the last entry of its history.' })
  sequence!: number

  @Field(() => ID, { nullable: true, description: 'The id of the order it came from.' })
  orderCode!: string | null

  @Directive('@inaccessible')
  @Field(() => Int, {
    nullable: true,
    description: "The number of its order's event that left it as it was registered.",
  })
  orderSequence!: number | null

  @Field(() => TransactionTypeEnum, {
    nullable: true,
    description: 'How it is paid; null before a transaction is created.',
  })
  transactionType!: TransactionType | null

  @Field(() => EmailAddress, { nullable: true, description: "The payer's e-mail address." })
  payerEmail!: string | null

  @Field(() => String, { nullable: true, description: "The payer's wallet, for crypto payments." })
  payerWallet!: string | null

  @Field(() => String, { nullable: true, description: 'The token the payer pays with.' })
  payerTokenSymbol!: string | null

  @Field(() => String, { nullable: true, description: "The payer's tax id, masked." })
  payerCpf!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The hash on chain after a successful execution.',
    deprecationReason: NAMED_BY_REST,
  })
  tidHash!: string | null

  @Field(() => Decimal, {
    nullable: true,
    description: 'The quoted amount of that token; null, in REST an empty text, before a transaction is created.',
  })
  amountTo!: string | null

  @Field(() => String, { nullable: true, description: 'The chain that the payer pays on.' })
  chainName!: string | null

  @Field(() => UnsignedTransactionUnion, { nullable: true, description: 'What the payer has to sign.' })
  unsignedTransaction!: EvmTransaction | SolanaTransaction | null

  @Field(() => String, { nullable: true, description: 'What the payer signed.' })
  signedTransaction!: string | null

  @Field(() => Decimal, { description: 'What its payer got back by refunds, in the currency that was charged.' })
  refundedAmount!: string

  @Field(() => Decimal, { description: 'What has come to its address.' })
  receivedAmount!: string

  @Field(() => Decimal, {
    description:
      'What came beyond what was due, at its address or by a wallet that paid besides; a wallet pays the receivers, or what is held for them.',
  })
  overpaidAmount!: string

  @Field(() => Boolean, { description: 'Whether it was paid at its address after the price had run out.' })
  late!: boolean

  @Field(() => JsonValue, { nullable: true, description: "The processor's answer; a message object for crypto." })
  globalPaymentData!: unknown

  @Field(() => PaymentFailure, {
    nullable: true,
    description: 'Present when the status is ERROR, and when a card was refused (REPROVED).',
  })
  dataError!: PaymentFailure | null

  @Field(() => Url, { description: 'The hosted payment page: signed, and good until the payment expires.' })
  sessionPayment!: string

  @Field(() => DateTime, { description: 'When it was registered.' })
  createdAt!: Date

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date
}
