import { Button, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { disableTenantMutation, enableTenantMutation } from '../generated/operations.js'
import { refusalOf, useAct, type Acted } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownTenant } from './shown.js'

/** Whether a tenant's keys open anything, and the way to change that. Stopping it works at once, without a proof. */
export function TenantState({ tenant, onChange }: { tenant: ShownTenant; onChange: () => void }): ReactNode {
  const texts = useText().operators.tenants
  const [isAsking, setAsking] = useState(false)
  const disable = useAct(disableTenantMutation)
  const enable = useProvenAct(enableTenantMutation)
  const isDisabled = tenant.disabledAt !== null
  const close = (): void => setAsking(false)
  const act = isDisabled ? texts.enable : texts.disable
  return (
    <Group>
      <Text data-test="tenant-state">{isDisabled ? texts.disabled : texts.active}</Text>
      <Button variant="default" onClick={() => setAsking(true)} data-test="change-state">
        {act}
      </Button>
      {isAsking && (
        <Confirm
          title={`${act}: ${tenant.name}`}
          lead={isDisabled ? texts.enableLead : texts.disableLead}
          act={act}
          onAct={() => refusalOf<Acted<object>>((isDisabled ? enable : disable)({ id: tenant.id }), close, onChange)}
          onClose={close}
        />
      )}
    </Group>
  )
}
