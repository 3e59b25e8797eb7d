/** How the card processor is reached. */
export interface CardSettings {
  /** With its base path: `https://api.pagar.me/core/v5`. */
  baseUrl: string
  /** `sk_…`: HTTP Basic with an empty password. */
  secretKey: string
  /** `pk_…`: the `appId` of token requests. */
  publicKey: string
  /** What the processor's dashboard sends with callbacks, as HTTP Basic. */
  callbackUser: string
  callbackPassword: string
  /** Whether card numbers are taken, which puts the deployment in full PCI scope; otherwise tokens only. */
  isRawEnabled: boolean
  /** What the processor may keep of a charge, in percent, by its contract; undefined where nobody compares. */
  feeMaxPercent?: string | undefined
  /** The platform's own recipient at the processor; undefined where no fee is taken of what it shares out in fiat. */
  platformRecipient?: string | undefined
}
