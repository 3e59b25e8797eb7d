import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import bs58 from 'bs58'
import type { Chain } from '../chains/chain.js'
import type { Sandbox } from './sandbox.js'
import { secretKeyOfSeed } from './solana/keys.js'

/**
 * The environment of a product process that runs on a sandbox of another process: it configures everything, so that the
 * process starts nothing of its own and needs no data folder. Several processes may have the same. A harness may put
 * proxies between: it replaces addresses in what this returns, and gives `chains` of its own.
 * @param options.productUrl where clients reach the product; the providers call back to it, and links begin with it
 * @param options.folder where the files of chains and lending markets are written
 * @param options.chains how the product reaches the chains, as `CHAINS_FILE` holds them; straight, if left out
 */
export function environmentOf(
  sandbox: Sandbox,
  options: { productUrl: string; folder: string; chains?: readonly Chain[] },
): Record<string, string> {
  const { verifier, mail } = sandbox
  const { pix, card } = sandbox.rails
  const inFolder = (name: string, content: unknown): string => {
    const file = join(options.folder, name)
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  sandbox.setProductUrl(options.productUrl)
  return {
    MODE: 'sandbox',
    PUBLIC_URL: options.productUrl,
    DATABASE_URL: sandbox.databaseUrl,
    MASTER_KEY: sandbox.masterKey.toString('hex'),
    OPERATOR_EVM_KEY: sandbox.operatorKey,
    TREASURY_EVM_KEY: sandbox.treasuryEvmKey,
    TREASURY_SOLANA_KEY: bs58.encode(Uint8Array.from(secretKeyOfSeed(sandbox.treasurySolanaSeed))),
    CHAINS_FILE: inFolder('chains.json', options.chains ?? sandbox.chains),
    YIELD_MARKETS_FILE: inFolder('yield-markets.json', sandbox.yieldMarkets),
    PRICE_BASE_URL: sandbox.priceUrl,
    REAL_PRICE_BASE_URL: sandbox.priceUrl,
    DOLLAR_PRICE_BASE_URL: sandbox.priceUrl,
    ORACLE_BASE_URL: sandbox.priceUrl,
    ROUTER_BASE_URL: sandbox.routerUrl,
    PIX_BASE_URL: pix.baseUrl,
    PIX_TOKEN_PATH: pix.tokenPath,
    PIX_TOKEN_BODY: pix.tokenBody,
    PIX_CLIENT_ID: pix.clientId,
    PIX_CLIENT_SECRET: pix.clientSecret,
    PIX_KEY: pix.key,
    PIX_RECEIVER_NAME: pix.receiverName,
    PIX_RECEIVER_CITY: pix.receiverCity,
    CARD_BASE_URL: card.baseUrl,
    CARD_SECRET_KEY: card.secretKey,
    CARD_PUBLIC_KEY: card.publicKey,
    CARD_WEBHOOK_USER: card.callbackUser,
    CARD_WEBHOOK_PASSWORD: card.callbackPassword,
    KYC_VERIFIER: verifier.name,
    KYC_BASE_URL: verifier.baseUrl,
    KYC_API_KEY: verifier.apiKey,
    KYC_WEBHOOK_SECRET: verifier.webhookSecret,
    KYC_WORKFLOW_ID: verifier.workflowIds.person,
    KYC_BUSINESS_WORKFLOW_ID: verifier.workflowIds.company,
    SMTP_URL: mail.url,
    MAIL_FROM: mail.from,
  }
}
