import { template, text } from './entry.ts'

/** Workspaces and workloads of the container console. */
export const compute = {
  workspaceNotReady: text(
    'This workspace is not running. If it is still being created, try again in a moment. If its order has ended, buy the order again.',
    '该工作区未运行。如仍在创建中，请稍后再试；如订单已结束，请再次购买该订单。',
    2068,
  ),
  workspaceFull: text(
    'The workspace does not have enough free resources. Choose a smaller size, or reduce or remove another program.',
    '工作区剩余资源不足，请减小规格，或者缩小或移除其他应用。',
    2068,
  ),
  portUnknown: text('The program has no such port. Add the port first.', '应用没有此端口，请先添加端口。', 1000),
  notPublished: text(
    'This address is not available: the portal does not offer it, or it belongs to another account.',
    '此地址不可用：本站未提供，或属于其他账号。',
    1000,
  ),
  tcpPortsTaken: text(
    'All TCP ports of this network, or the ten of your account, are in use. Ports that you closed become free after 72 hours.',
    '本网络的 TCP 端口或您账号的十个端口已全部占用。已关闭的端口会在 72 小时后释放。',
    2068,
  ),
  domainName: text(
    'This is not a domain that can be used. Enter a domain of your own, such as shop.example.org.',
    '此域名不可用，请输入您自己的域名，例如 shop.example.org。',
    1001,
  ),
  domainTaken: text(
    'Another program already uses this domain. Remove it there first.',
    '该域名已被其他应用使用，请先在那里移除。',
    1022,
  ),
  domainUnknown: text('The program does not have this domain.', '该应用没有此域名。', 1000),
  tooManyDomains: template<{ max: number }>(
    1022,
    ({ max }) => `A workspace can have at most ${max} domains. Remove one first.`,
    ({ max }) => `每个工作区最多 ${max} 个域名，请先移除不用的域名。`,
  ),
  addressPassword: text('Choose a password of 8 to 100 characters.', '请设置 8 至 100 个字符的密码。', 1000),
  workloadUnknown: text('This program does not exist. It may have been removed.', '该应用不存在，可能已被移除。', 1000),
  workloadStopped: text('The program is not running. Start it first.', '该应用未运行，请先启动。', 2068),
  workloadName: text(
    'A name must have 1 to 30 lowercase letters, digits or hyphens, and begin with a letter.',
    '名称须为 1 至 30 个小写字母、数字或连字符，并以字母开头。',
    1001,
  ),
  workloadNameTaken: text(
    'A program with this name already exists in the workspace. Choose another name.',
    '工作区中已有同名应用，请更换名称。',
    1022,
  ),
  tooManyWorkloads: template<{ max: number }>(
    1022,
    ({ max }) => `A workspace can have at most ${max} programs. Remove one first.`,
    ({ max }) => `每个工作区最多 ${max} 个应用，请先移除不用的应用。`,
  ),
  imageName: text(
    'This is not a valid image name. Examples: nginx, ghcr.io/owner/name:1.0.',
    '镜像名称无效，示例：nginx 或 ghcr.io/owner/name:1.0。',
    1001,
  ),
  registryRefused: template<{ hosts: string }>(
    1001,
    ({ hosts }) => `Images can only come from these registries: ${hosts}.`,
    ({ hosts }) => `仅支持以下镜像仓库：${hosts}。`,
  ),
  envName: text(
    'Variable names may contain letters, digits, dots, hyphens and underscores, and begin with a letter or an underscore. At most 50 variables are allowed.',
    '环境变量名称只能包含字母、数字、点、连字符和下划线，并以字母或下划线开头；最多 50 个。',
    1001,
  ),
  templateAndImage: text(
    'Choose either a template or an image, not both.',
    '请在模板与镜像中选择一个，不能同时使用。',
    1001,
  ),
  healthPath: text(
    'The path of a health check must begin with a slash and contain no spaces.',
    '健康检查路径须以斜杠开头，且不能包含空格。',
    1001,
  ),
  notOffered: text(
    'This cluster does not offer health checks and restart policies. It restarts programs that end.',
    '该集群不提供健康检查与重启策略；应用退出后由集群自动重启。',
    1001,
  ),
  stopTime: text('Choose a time within the next year.', '请选择一年之内的时间。', 1001),
  archiveNotOffered: text(
    'This cluster cannot use image archives. Use an image from a registry.',
    '该集群不支持镜像归档文件，请使用镜像仓库中的镜像。',
    1001,
  ),
  archiveFile: text(
    'Choose an image in the folder of the key: a tar file made by docker save or podman save, or that contains an OCI layout; or a folder with oci-layout, index.json and blobs/sha256. It must not be encrypted.',
    '请选择密钥对应文件夹中的镜像：由 docker save 或 podman save 生成、或包含 OCI 布局的 tar 文件，或包含 oci-layout、index.json 和 blobs/sha256 的文件夹。不能使用加密文件。',
    1001,
  ),
  composeText: text(
    'Enter a Compose file, or choose one in your storage. It has at most 128 KiB.',
    '请输入 Compose 文件内容，或在存储中选择一个文件，最大 128 KiB。',
    1001,
  ),
  composeRefused: template<{ path: string; count: number }>(
    1001,
    ({ path, count }) =>
      `Nothing was created. Parts of the Compose file that cannot be used: ${count}. The first is ${path}.`,
    ({ path, count }) => `未创建任何应用。Compose 文件中有 ${count} 处无法使用，第一处为 ${path}。`,
  ),
  archiveTooLarge: text(
    'The image is larger than the disk of the program, or larger than 8 GiB. Choose a larger disk, or a smaller image.',
    '镜像大于应用的磁盘，或超过 8 GiB。请选择更大的磁盘，或较小的镜像。',
    10004,
  ),
  revisionUnknown: text(
    'This version of the settings is no longer kept. Reload the page.',
    '该设置版本已不再保留，请刷新页面。',
    1000,
  ),
  diskShrinks: text('A disk can be made larger, but not smaller.', '磁盘只能扩容，不能缩小。', 1001),
  folderKey: text(
    'Use an API key of your account that is limited to one folder. Create one on the API keys page.',
    '请使用您账号中仅限一个文件夹的 API 密钥，可在 API 密钥页面创建。',
    1028,
  ),
  folderProgramKey: text(
    'Use an API key of your account that is limited to one folder and may read, create and delete files, and read and create folders.',
    '请使用您账号中仅限一个文件夹的 API 密钥，并授予读取、创建、删除文件以及读取、创建文件夹的权限。',
    1028,
  ),
  folderPath: text(
    'Enter an absolute path such as /data/results. It may contain letters, digits, dots and hyphens, and must not be a system folder.',
    '请输入绝对路径，例如 /data/results。路径只能包含字母、数字、点和连字符，且不能是系统文件夹。',
    1001,
  ),
  folderNotOffered: text(
    'Programs on this cluster cannot use folders of your storage. Copy the files into the program instead.',
    '该集群不支持在应用中使用存储文件夹，请改为将文件复制到应用中。',
    1001,
  ),
  folderAttached: text(
    'The program uses a folder of your storage. Detach it first, so that changed files are saved.',
    '该应用正在使用您的存储文件夹，请先解除关联，以便保存已更改的文件。',
    1022,
  ),
  folderMissing: text('No folder of your storage is attached to this program.', '该应用没有关联存储文件夹。', 1000),
  copyTooLarge: text(
    'The folder is larger than the disk of the program, or has more than 10,000 files. Choose a larger disk, or a smaller folder.',
    '该文件夹大于应用的磁盘，或文件超过 10,000 个。请扩大磁盘，或选择较小的文件夹。',
    10004,
  ),
  copyTarget: text(
    'The target is not a valid folder. Enter a folder in /data, such as /data/photos.',
    '目标文件夹无效，请输入 /data 中的文件夹，例如 /data/photos。',
    1001,
  ),
  guestsOff: text(
    'This portal offers no workspaces without an account. Sign up to order one.',
    '本站不提供免注册的工作区，请注册后订购。',
    1031,
  ),
  guestsFull: text(
    'All guest workspaces are in use. Try again in a few minutes.',
    '访客工作区已全部占用，请几分钟后再试。',
    1031,
  ),
  guestRunning: text(
    'A guest workspace is already running from your IP address. Try again when its time is over.',
    '您的 IP 地址已有一个访客工作区正在运行，请在其结束后再试。',
    1031,
  ),
  guestsTooMany: template<{ minutes: number }>(
    1031,
    ({ minutes }) => `Too many guest workspaces were started from your IP address. Try again in ${minutes} min.`,
    ({ minutes }) => `您的 IP 地址启动访客工作区过于频繁，请 ${minutes} 分钟后再试。`,
  ),
  guestOver: text(
    'This guest workspace is no longer running. Order a workspace instead.',
    '该访客工作区已停止运行，请订购工作区。',
    1031,
  ),
  guestAdopted: text(
    'Your account has already added a guest workspace this month. Order a workspace instead.',
    '您的账号本月已添加过访客工作区，请订购工作区。',
    1031,
  ),
  guestLimited: text(
    'Guests can only use the machine as it is. To run other programs, sign up and order a workspace.',
    '访客只能使用现有的机器。如需运行其他应用，请注册并订购工作区。',
    1031,
  ),
  clusterUnavailable: text(
    'The cluster is not responding. Try again in a moment.',
    '集群暂时没有响应，请稍后再试。',
    1004,
  ),
}
