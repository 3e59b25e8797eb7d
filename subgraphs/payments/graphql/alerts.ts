import { Arg, Ctx, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { closeAlert, type CloseAlertDeps } from '../domain/operators/close-alert.js'
import { listAlerts, type ListAlertsDeps } from '../domain/operators/list-alerts.js'
import { ALERT_KINDS, type AlertKind, type RaisedAlert } from '../store/alerts.js'

const AlertStateEnum = graphqlEnum<'open' | 'closed'>('OperatorAlertState', 'Where an alert stands.', {
  open: 'Somebody has to do something.',
  closed: 'Its cause is gone, or an operator has closed it.',
})

const AlertKindEnum = graphqlEnum<AlertKind>('OperatorAlertKind', 'What an operator has to know of.', ALERT_KINDS)

@Fields<RaisedAlert>('answer', {
  id: { type: () => ID, description: 'The id of the alert.' },
  kind: { type: () => AlertKindEnum, description: 'What has happened; the operations guide says what to do.' },
  subject: { type: () => String, description: 'What it is about: a chain, a payment, a transaction, and so on.' },
  details: { type: () => String, nullable: true, description: 'What was told of it last.' },
  count: { type: () => Int, description: 'How often it was told.' },
  firstAt: { type: () => DateTime, description: 'When it opened.' },
  lastAt: { type: () => DateTime, description: 'When it was told last.' },
  closedAt: { type: () => DateTime, nullable: true, description: 'When it was closed; null while it is open.' },
  closedBy: { type: () => String, nullable: true, description: 'Who closed it; null where its cause was gone.' },
  reason: { type: () => String, nullable: true, description: 'The reason of the operator who closed it.' },
})
@ObjectType({ description: 'Something that an operator of the deployment has to know of.' })
class OperatorAlert {}

const OperatorAlertConnection = connectionType('OperatorAlert', () => OperatorAlert, {
  noun: 'an alert',
  order: 'the newest first',
})

@Resolver()
export class AlertsResolver {
  @Query(() => OperatorAlertConnection, {
    nullable: true,
    description: 'For operators: what they have to know of, newest first.',
  })
  alerts(
    @Arg('state', () => AlertStateEnum, { nullable: true, description: 'Only those that stand there.' })
    state: 'open' | 'closed' | null,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: SubgraphContext<ListAlertsDeps>,
  ): Promise<Connection<RaisedAlert>> {
    operatorOf(context)
    return listAlerts(context.deps, { state, first, after })
  }

  @Mutation(() => OperatorAlert, {
    description: 'For operators: closes an alert. One whose cause comes again opens again.',
  })
  closeAlert(
    @Arg('id', () => ID, { description: 'Of the alert.' }) id: string,
    @Arg('reason', () => String, { description: 'Why it needs nobody any more; at most 500 characters.' })
    reason: string,
    @Ctx() context: SubgraphContext<CloseAlertDeps>,
  ): Promise<RaisedAlert> {
    return closeAlert(context.deps, operatorOf(context), { id, reason })
  }
}
