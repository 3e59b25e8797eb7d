import { ID, Int, ObjectType } from 'type-graphql'
import { Decimal, Url } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { ProductEnum } from '../../../kernel/product.enum.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { PaymentMethod } from '../../../terms/methods.js'
import type { Configuration, ConfiguredChain, ConfiguredMethod, ConfiguredToken } from '../domain/read-configuration.js'
import { ChainFamilyEnum, TransactionTypeEnum } from './payment.enums.js'

const PaymentMethodEnum = graphqlEnum<PaymentMethod>('PaymentMethod', 'A method of `paymentMethodAllowed`.', {
  crypto: 'A wallet pays on a chain.',
  pixcrypto: 'Pix pays, the receivers get crypto.',
  cardcrypto: 'A card pays, the receivers get crypto.',
  cardfiat: 'A card pays, the receivers get fiat from the card processor.',
  cryptofiat: 'Not payable yet.',
  cryptopix: 'Not payable yet.',
})

@Fields<Configuration['fiatCurrencies'][number]>('answer', {
  code: { type: () => String, description: 'Of ISO 4217, e.g. `BRL`.' },
  decimals: { type: () => Int, description: 'How many decimals an amount may have.' },
})
@ObjectType({ description: 'A fiat currency that payments can ask for.' })
export class FiatCurrency {}

@Fields<ConfiguredToken>('answer', {
  symbol: { type: () => String, description: 'The symbol, e.g. `USDT`.' },
  decimals: { type: () => Int, description: 'How many decimals its base unit has.' },
  address: { type: () => String, description: "Its contract or mint; null for the chain's own coin.", nullable: true },
  minPayout: {
    type: () => Decimal,
    description:
      "What one receiver gets at least. Of what a wallet pays several receivers on an EVM chain, or anybody at a payment's own address, it is what sharing that out costs in gas, where that is more.",
  },
  minPayoutToNewAccount: {
    type: () => Decimal,
    description: "The same where the receiver's token account has to be opened first, on Solana.",
  },
})
@ObjectType({ description: "A token, or a chain's own coin, that receivers can be paid in." })
export class PaymentToken {}

@Fields<ConfiguredChain>('answer', {
  name: { type: () => ID, description: 'The name that payments and orders use, e.g. `polygon`.' },
  family: { type: () => ChainFamilyEnum, description: 'The kind of chain.' },
  chainId: { type: () => Int, description: 'Its number among EVM chains (EIP-155); null on Solana.', nullable: true },
  explorerUrl: {
    type: () => Url,
    description: 'Where people look transactions up, at `<url>/tx/<hash>`.',
    nullable: true,
  },
  nativeCoin: { type: () => PaymentToken, description: 'Its own coin.' },
  tokens: { type: () => [PaymentToken], description: 'Its tokens.' },
})
@ObjectType({ description: 'A chain that receivers can be paid on.' })
export class PaymentChain {}

@Fields<ConfiguredMethod>('answer', {
  method: { type: () => PaymentMethodEnum, description: 'The method.' },
  product: { type: () => ProductEnum, description: 'The product that it needs.' },
  isEnabled: { type: () => Boolean, description: 'Whether the key can use it.' },
  transactionTypes: {
    type: () => [TransactionTypeEnum],
    description: 'With which types `createTransaction` starts it.',
  },
})
@ObjectType({ description: 'A way to pay, and whether it is there.' })
export class PaymentMethodOption {}

@Fields<Configuration['limits']>('answer', {
  receiversMax: { type: () => Int, description: 'How many receivers a payment can have.' },
  metadataMaxBytes: { type: () => Int, description: 'How long metadata can be, as JSON.' },
  quoteLifeSeconds: { type: () => Int, description: 'For how long a price is locked.' },
})
@ObjectType({ description: 'What bounds a payment.' })
export class PaymentLimits {}

@Fields<Configuration>('answer', {
  fiatCurrencies: { type: () => [FiatCurrency], description: 'What payments can ask for.' },
  chains: { type: () => [PaymentChain], description: 'Where receivers can be paid, and in what.' },
  methods: { type: () => [PaymentMethodOption], description: 'How payers can pay.' },
  limits: { type: () => PaymentLimits, description: 'What bounds a payment.' },
})
@ObjectType('Configuration', { description: 'What a form that registers a payment has to know of the deployment.' })
export class ConfigurationType {}
