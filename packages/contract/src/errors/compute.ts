import { template, text } from './entry.ts'

/** Workspaces and workloads of the container console. */
export const compute = {
  workspaceNotReady: text(
    'This workspace is not running: its order has ended, or it is still being created.',
    '该工作区未运行：订单已结束，或工作区仍在创建中。',
    2068,
  ),
  workspaceFull: text(
    'The workspace does not have enough free resources. Choose a smaller size, or shrink or remove another workload.',
    '工作区剩余资源不足，请减小规格，或缩小、移除其他应用。',
    2068,
  ),
  portUnknown: text('The program has no such port. Add the port first.', '应用没有此端口，请先添加端口。', 1000),
  notPublished: text('This network does not publish such an address.', '本网络未发布此地址。', 1000),
  tcpPortsTaken: text(
    'All TCP ports of this network, or the ten of your account, are in use. Ports that you closed become free after 72 hours.',
    '本网络的 TCP 端口或您账户的十个端口已全部占用。关闭的端口 72 小时后释放。',
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
  workloadUnknown: text('This workload does not exist.', '该应用不存在。', 1000),
  workloadStopped: text('The workload is not running. Start it first.', '该应用未运行，请先启动。', 2068),
  workloadName: text(
    'A name must have 1 to 30 lowercase letters, digits or hyphens, and begin with a letter.',
    '名称须为 1-30 位小写字母、数字或连字符，并以字母开头。',
    1001,
  ),
  workloadNameTaken: text('A workload with this name already exists.', '应用名称已存在。', 1022),
  tooManyWorkloads: template<{ max: number }>(
    1022,
    ({ max }) => `A workspace can have at most ${max} workloads. Remove one first.`,
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
    'Variable names may contain letters, digits and underscores. At most 50 variables are allowed.',
    '环境变量名称只能包含字母、数字和下划线，且最多 50 个。',
    1001,
  ),
  templateAndImage: text('Choose either a template or an image, not both.', '只能选择模板或镜像中的一个。', 1001),
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
    'Choose an image in the folder of the key: a tar file of docker save, podman save or an OCI layout, or a folder with oci-layout, index.json and blobs/sha256. It must not be encrypted.',
    '请选择密钥所属文件夹中的镜像：未加密的镜像归档文件，或包含镜像布局的文件夹。',
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
    'The image archive is larger than the disk of the workload.',
    '镜像归档大于应用的磁盘空间。',
    10004,
  ),
  revisionUnknown: text(
    'This version of the settings is no longer kept. Reload the page.',
    '该设置版本已不再保留，请刷新页面。',
    1000,
  ),
  diskShrinks: text('A disk can only be made larger, not smaller.', '磁盘只能扩容，不能缩小。', 1001),
  folderKey: text(
    'Use an API key of your account that is limited to one folder.',
    '请使用您账号中仅限单个文件夹的 API 密钥。',
    1028,
  ),
  folderProgramKey: text(
    'Use an API key of your account that is limited to one folder and may read, create and delete files, and read and create folders.',
    '请使用您账号中仅限单个文件夹的 API 密钥，并授予读取、创建、删除文件以及读取、创建文件夹的权限。',
    1028,
  ),
  folderPath: text(
    'Enter an absolute path such as /data/results: letters, digits, dots and hyphens, and no folder of the system.',
    '请输入以斜杠开头的绝对路径，只能包含字母、数字、点和连字符，且不能是系统文件夹。',
    1001,
  ),
  folderNotOffered: text(
    'This cluster cannot put folders of the storage into programs. Copy the files with a command instead.',
    '该集群不支持在应用中使用存储文件夹，请用命令复制文件。',
    1001,
  ),
  folderAttached: text(
    'The program has a folder of your storage. Detach it first, so that changed files are saved.',
    '该应用正在使用您的存储文件夹，请先解除关联，以便保存已更改的文件。',
    1022,
  ),
  folderMissing: text('The program has no folder of your storage.', '该应用没有关联存储文件夹。', 1000),
  copyTooLarge: text(
    'The folder is larger than the disk of the workload, or has more than 10,000 files.',
    '该文件夹大于应用的磁盘空间，或文件超过 10,000 个。',
    10004,
  ),
  copyTarget: text('The target is not a valid folder path.', '目标路径无效。', 1001),
  guestsOff: text('Workspaces without an account are not offered here.', '本站不提供免账号工作区。', 1031),
  guestsFull: text(
    'All workspaces for guests are in use. Try again in some minutes.',
    '访客工作区已全部占用，请几分钟后再试。',
    1031,
  ),
  guestRunning: text(
    'A guest workspace of your network is running already.',
    '您所在的网络已有一个访客工作区正在运行。',
    1031,
  ),
  guestsTooMany: template<{ minutes: number }>(
    1031,
    ({ minutes }) => `Too many guest workspaces were started from your network. Try again in ${minutes} min.`,
    ({ minutes }) => `您所在的网络启动访客工作区过于频繁，请 ${minutes} 分钟后再试。`,
  ),
  guestOver: text('This guest workspace is no longer running.', '该访客工作区已停止运行。', 1031),
  guestAdopted: text(
    'Your account has already adopted a guest workspace this month.',
    '您的账号本月已添加过访客工作区。',
    1031,
  ),
  guestLimited: text(
    'Guests can use the machine as it is. To run other programs, sign up and order one.',
    '访客只能使用现有的机器。如需运行其他应用，请注册并购买。',
    1031,
  ),
  clusterUnavailable: text(
    'The cluster is not responding. Running workloads are not affected. Please try again in a moment.',
    '集群暂时没有响应，正在运行的应用不受影响，请稍后再试。',
    1004,
  ),
}
