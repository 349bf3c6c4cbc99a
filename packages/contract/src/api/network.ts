import { z } from 'zod'
import { nothing } from '../fields.ts'
import { mapPoint } from '../objects.ts'
import { route } from '../route.ts'

export const network = {
  onlineDevices: route({
    method: 'GET',
    path: '/api/v2/get_online_device',
    auth: 'public',
    input: nothing,
    output: z.object({ online_device_num: z.number() }),
    errors: [],
    summary: 'Returns the number of online nodes',
  }),
  map: route({
    method: 'GET',
    path: '/api/v2/get_map_info',
    aliases: ['/api/v1/storage/get_map_info'],
    auth: 'public',
    input: z.object({ device_id: z.string().max(80).optional() }),
    output: z.object({ list: z.array(mapPoint) }),
    errors: [],
    summary: 'Lists the map points of all nodes',
  }),
  summary: route({
    method: 'GET',
    path: '/api/v2/get_index_info',
    auth: 'public',
    input: nothing,
    output: z.object({
      total_node_count: z.number(),
      online_node_count: z.number(),
      candidate_count: z.number(),
      edge_count: z.number(),
      validator_count: z.number(),
      area_count: z.number(),
      total_storage: z.number(),
      storage_used: z.number(),
      ip_count: z.number(),
      cpu_cores: z.number(),
      memory: z.number(),
      asset_count: z.number(),
      replica_count: z.number(),
      t_average_replica: z.number(),
    }),
    errors: [],
    summary: 'Returns the measured figures of the network',
  }),
  health: route({
    method: 'GET',
    path: '/api/v2/health',
    auth: 'public',
    input: nothing,
    output: z.object({ msg: z.string(), database: z.boolean(), nodes_online: z.number() }),
    errors: [],
    summary: 'Health check of the server and its database; HTTP 503 if one of them fails',
  }),
}
