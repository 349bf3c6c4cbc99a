# Creates a permanent link to a file, with a password.
api="$TIDENET_URL/api/v1/storage"
me="JwtAuthorization: Bearer $TIDENET_TOKEN"
first() { grep -o "\"$1\":\"[^\"]*\"" | head -1 | cut -d'"' -f4; }

cid=$(curl -s "$api/get_asset_group_list?parent=0&page=1" -H "$me" | first Cid)
curl -s "$api/create_link?cid=$cid&short_pass=abc123" -H "$me"
