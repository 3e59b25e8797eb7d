import { neededOption } from '../../../kernel/command-line.js'
import { PRODUCTS } from '../../../kernel/tenant.js'
import { changeTenant } from '../domain/change-tenant.js'
import { createTenant } from '../domain/create-tenant.js'
import { findTenant } from '../domain/find-tenant.js'
import { limitFiats } from '../domain/limit-fiats.js'
import { listTenants } from '../domain/list-tenants.js'
import type { TenantAccount } from '../store/tenant.entity.js'
import type { Command, Commands } from './command.js'
import { integrationView } from './integration-commands.js'
import { keyView } from './key-commands.js'
import { FLAG, modeOption, productsOption, tenantOption, TEXT, textOption, webhookUrlOption } from './options.js'

export const TENANT_COMMANDS: Commands = {
  create: {
    usage: `--name NAME [--products ${PRODUCTS.join(',')}] [--webhook-url URL] [--live]`,
    help: 'a tenant with its integration and a first key',
    options: { name: TEXT, products: TEXT, 'webhook-url': TEXT, live: FLAG },
    seals: true,
    read: (values) => {
      const named = { name: neededOption(values, 'name'), products: productsOption(values) }
      const input = { ...named, mode: modeOption(values), webhookUrl: webhookUrlOption(values) }
      return async (deps) => {
        const { tenant, integration, webhookSecret, apiKey, key } = await createTenant(deps, input)
        return {
          id: tenant.id,
          name: tenant.name,
          products: tenant.products,
          created_at: tenant.createdAt,
          public_client_id: integration.publicClientId,
          webhook_url: integration.webhookUrl,
          webhook_secret: webhookSecret,
          key_id: apiKey.id,
          api_key: key,
        }
      }
    },
  },
  list: {
    usage: '[--after ID]',
    help: 'the tenants, newest first, a hundred at once',
    options: { after: TEXT },
    isRead: true,
    read: (values) => async (deps) => {
      const { tenants, next } = await listTenants(deps, { after: textOption(values, 'after') })
      return { tenants: tenants.map(tenantView), next }
    },
  },
  show: {
    usage: '--tenant ID',
    help: 'a tenant with its integrations and keys',
    options: { tenant: TEXT },
    isRead: true,
    read: (values) => {
      const named = tenantOption(values)
      return async (deps) => {
        const tenant = await findTenant(deps, named)
        const [integrations, keys] = await Promise.all([
          deps.accounts.listIntegrations(tenant.id),
          deps.accounts.listKeys(tenant.id),
        ])
        return { ...tenantView(tenant), integrations: integrations.map(integrationView), keys: keys.map(keyView) }
      }
    },
  },
  change: {
    usage: `--tenant ID [--name NAME] [--products ${PRODUCTS.join(',')}]`,
    options: { tenant: TEXT, name: TEXT, products: TEXT },
    read: (values) => {
      const tenant = tenantOption(values)
      const products = values['products'] === undefined ? undefined : productsOption(values)
      const change = { name: textOption(values, 'name'), products }
      return async (deps) => tenantView(await changeTenant(deps, tenant, change))
    },
  },
  disable: {
    ...switched(true),
    help: 'none of its keys opens anything any more, within five seconds; what is paid is settled as ever',
  },
  enable: switched(false),
  'limit-fiats': {
    usage: '--tenant ID [--fiats BRL,USD]',
    help: 'the fiat currencies that the tenant may use; without --fiats all of the deployment',
    options: { tenant: TEXT, fiats: TEXT },
    read: (values) => {
      const tenant = tenantOption(values)
      const words = textOption(values, 'fiats')?.split(',')
      return async (deps) => {
        const { id, fiats } = await limitFiats(deps, tenant, { fiats: words?.map((fiat) => fiat.trim()) ?? null })
        return { id, fiats }
      }
    },
  },
}

function switched(disabled: boolean): Command {
  return {
    usage: '--tenant ID',
    options: { tenant: TEXT },
    read: (values) => {
      const tenant = tenantOption(values)
      return async (deps) => tenantView(await changeTenant(deps, tenant, { disabled }))
    },
  }
}

function tenantView({ id, name, products, fiats, disabledAt, createdAt }: TenantAccount): object {
  return { id, name, products, fiats, disabled_at: disabledAt, created_at: createdAt }
}
