"""Signs in and lists files with a client that openapi-python-client generated. Arguments: URL, user name, password."""

import json
import sys

from tidenet_client import Client
from tidenet_client.api.accounts import accounts_login
from tidenet_client.api.folders import folders_contents, folders_create
from tidenet_client.models.accounts_login_body import AccountsLoginBody

url, username, password = sys.argv[1:]
signed_in = accounts_login.sync(client=Client(base_url=url), body=AccountsLoginBody(username=username, password=password))
client = Client(base_url=url, headers={"JwtAuthorization": f"Bearer {signed_in.data.token}"})
made = folders_create.sync(client=client, name="generated")
listed = folders_contents.sync(client=client, page_size=5)
refused = folders_contents.sync(client=client, page=-1)
print(
    json.dumps(
        {"id": made.data.group.id, "names": [item.group.name for item in listed.data.list_], "err": refused.err}
    )
)
