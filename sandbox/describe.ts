import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import type { EvmChain } from '../chains/chain.js'
import type { AdjustableClock } from '../kernel/clock.js'
import { advance } from './anvil/test-client.js'
import type { KycSandbox } from './kyc/start.js'
import type { MailSandbox } from './mail/start.js'
import type { RailSimulator } from './rails.js'
import type { SandboxControls, Simulated, PartialSandbox } from './sandbox.js'
import type { Simulator } from './simulator.js'
import { solanaWallet, type SeededSolana } from './solana/seeded.js'
import { writePrivate } from './private-file.js'
import { openMasterKey, type StateFile } from './state.js'

/** What runs of a sandbox, beside the folder that it runs on. */
export interface Parts {
  file: StateFile
  dataDir: string
  databaseUrl: string | undefined
  evm: EvmChain | undefined
  solana: SeededSolana | undefined
  prices: Simulator | undefined
  router: Simulator | undefined
  mail: MailSandbox | undefined
  kyc: KycSandbox | undefined
  /** By the rail's name. */
  rails: Readonly<Record<string, RailSimulator>>
}

/** What the product is told of the parts. @param hasKeys whether the product takes its keys from here */
export function simulatedOf(parts: Parts, hasKeys: boolean): Omit<PartialSandbox, keyof SandboxControls> {
  const { file, dataDir, evm, solana, prices, router, mail, kyc, rails } = parts
  const { state } = file
  const keys: Pick<Simulated, 'masterKey' | 'operatorKey' | 'treasuryEvmKey' | 'treasurySolanaSeed'> | undefined =
    hasKeys
      ? {
          masterKey: openMasterKey(dataDir),
          operatorKey: state.operatorKey,
          treasuryEvmKey: state.treasuryKey,
          treasurySolanaSeed: Buffer.from(state.solana.treasurySeed, 'hex'),
        }
      : undefined
  return {
    databaseUrl: parts.databaseUrl,
    masterKey: keys?.masterKey,
    operatorKey: keys?.operatorKey,
    treasuryEvmKey: keys?.treasuryEvmKey,
    treasurySolanaSeed: keys?.treasurySolanaSeed,
    chains: evm && solana && [evm, solana.chain],
    yieldMarkets: solana?.yieldMarkets,
    priceUrl: prices?.url,
    routerUrl: router?.url,
    rails: Object.fromEntries(Object.entries(rails).map(([name, { settings }]) => [name, settings])),
    verifier: kyc?.verifier,
    mail: mail?.mail,
    mailboxUrl: mail?.mailboxUrl,
    toyWallet: evm && toyWalletOf(file.state, evm),
  }
}

function toyWalletOf(
  { payerKey, receivers }: StateFile['state'],
  { chainId, rpcUrl }: EvmChain,
): Simulated['toyWallet'] {
  const [receiver = privateKeyToAddress(payerKey)] = receivers
  return { privateKey: payerKey, chainId, rpcUrl, receiver }
}

/** What can be done with the parts. */
export function controlsOf(
  parts: Parts,
  { clock, stop }: { clock: AdjustableClock; stop: () => Promise<void> },
): SandboxControls {
  const { file, dataDir, evm, solana, prices, router, kyc, rails } = parts
  const { state, save } = file
  const setProductUrl = (url: string): void => {
    kyc?.setProductUrl(url)
    for (const rail of Object.values(rails)) rail.setProductUrl?.(url)
  }
  return {
    demo: {
      load: () => state.demo,
      save: (demo) => {
        state.demo = demo
        save()
      },
    },
    setProductUrl,
    writeDescription: (restUrl) => {
      setProductUrl(restUrl)
      writePrivate(join(dataDir, 'sandbox.json'), `${JSON.stringify(description(parts, restUrl), null, 2)}\n`)
    },
    now: () => clock.now(),
    advanceClock: async (seconds) => {
      clock.advance(seconds * 1000)
      state.clockAheadMs += seconds * 1000
      save()
      await Promise.all([
        evm && advance(evm.rpcUrl, seconds),
        solana?.advance(seconds),
        ...[prices, router, kyc, ...Object.values(rails)].map((simulator) => simulator?.advanceClock()),
      ])
      return clock.now()
    },
    stop,
  }
}

/** What `sandbox.json` holds; what the environment configures instead of the sandbox is left out. */
function description(parts: Parts, restUrl: string): object {
  const { file, databaseUrl, evm, solana, prices, router, mail, kyc, rails } = parts
  const { state } = file
  return {
    rest_url: restUrl,
    graphql_url: `${restUrl}/graphql`,
    api_key: state.demo?.apiKey,
    platform_key: state.demo?.platformKey,
    tenant_id: state.demo?.tenantId,
    public_client_id: state.demo?.publicClientId,
    webhook_secret: state.demo?.webhookSecret,
    ...Object.fromEntries(Object.entries(rails).map(([name, { url }]) => [`${name}_url`, url])),
    router_url: router?.url,
    price_url: prices?.url,
    kyc_url: kyc?.verifier.baseUrl,
    mailbox_url: mail?.mailboxUrl,
    database_url: databaseUrl,
    chains: {
      polygon: evm && { family: 'evm', rpc_url: evm.rpcUrl, chain_id: evm.chainId, tokens: evm.tokens },
      solana: solana && { family: 'solana', rpc_url: solana.rpcUrl, tokens: solana.chain.tokens },
    },
    wallets: {
      evm: { address: privateKeyToAddress(state.payerKey), private_key: state.payerKey },
      solana: solanaWallet(state),
    },
    receivers: { evm: state.receivers, solana: state.solana.receivers },
  }
}
