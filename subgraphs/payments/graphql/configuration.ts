import { Ctx, Query, Resolver } from 'type-graphql'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { readConfiguration, type Configuration, type ReadConfigurationDeps } from '../domain/read-configuration.js'
import { ConfigurationType } from './configuration.type.js'

@Resolver()
export class ConfigurationResolver {
  @Query(() => ConfigurationType, {
    nullable: true,
    description: 'What can be asked for, on which chains and how it can be paid, as the key may use it.',
  })
  configuration(@Ctx() { deps, caller }: SubgraphContext<ReadConfigurationDeps>): Configuration {
    return readConfiguration(deps, caller)
  }
}
