# Lists the root page by page: folders first, then files, newest first.
curl -s "$TIDENET_URL/api/v1/storage/get_asset_group_list?parent=0&page=1&page_size=20" \
  -H "JwtAuthorization: Bearer $TIDENET_TOKEN"
